import type { Message } from "../message.ts";
import { ping } from "./ping/message.ts";
import { availNotif } from "./avail-notif/message.ts";
import { invCountNotif } from "./inv-count-notif/message.ts";
import { rateAmountNotif } from "./rate-amount-notif/message.ts";

/** Every message that is understood; the handshake announces exactly these. */
export const messages: readonly Message[] = [ping, invCountNotif, availNotif, rateAmountNotif];

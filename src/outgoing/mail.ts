import { createTransport } from "nodemailer";

const SEND_TIMEOUT_MS = 10_000;

export type MailSettings = { url: string; from: string; to: readonly string[] };

/** Returns a function that emails all recipients. It rejects if the server refuses the email or doesn't respond in time. */
export function buildMailer({ url, from, to }: MailSettings): (subject: string, text: string) => Promise<void> {
  const limits = { connectionTimeout: SEND_TIMEOUT_MS, greetingTimeout: SEND_TIMEOUT_MS, socketTimeout: SEND_TIMEOUT_MS };
  const transport = createTransport({ url, ...limits });
  return async (subject, text) => {
    await transport.sendMail({ from, to: [...to], subject, text });
  };
}

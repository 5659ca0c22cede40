import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** An SMTP server that keeps the emails it receives, or refuses them while `refuses` is set. */
export class MailServer implements AsyncDisposable {
  readonly received: { to: string[]; text: string }[] = [];
  refuses = false;
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData: (stream, session, done) => {
        let text = "";
        stream.setEncoding("utf8").on("data", (part: string) => (text += part));
        stream.on("end", () => {
          if (this.refuses) return done(new Error("no space"));
          this.received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
          done();
        });
      },
    });
  }

  static async start(): Promise<MailServer> {
    const mail = new MailServer();
    mail.#server.listen(0, "127.0.0.1");
    await once(mail.#server.server, "listening");
    return mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  take() {
    return this.received.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { checkAlerts } from "../modules/alerts/evaluate.ts";
import type { ErrorRecorder } from "../web/error-handler.ts";

/** Shorter than the one-minute interval between checks, so that another process takes over quickly. */
const CHECK_INTERVAL_MS = 15_000;

type AlertCheckDeps = { config: Config; database: Database; clock: Clock; errors: ErrorRecorder };

/** Checks alert rules in the background. The returned function waits for the current check. */
export async function startAlertChecks({ config, database, clock, errors }: AlertCheckDeps): Promise<() => Promise<void>> {
  const onError = async (error: unknown) => {
    await errors.record(error, undefined);
  };
  const checks = { database, url: alertsUrl(config), mail: await createMailer(config), onError };
  let current: Promise<unknown> | undefined;
  const check = () => {
    current ??= checkAlerts(checks, clock.now())
      .catch(onError)
      .finally(() => (current = undefined));
  };
  check();
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await current;
  };
}

function alertsUrl({ values, prefix }: Config): string | undefined {
  return values.PUBLIC_URL && `${values.PUBLIC_URL.origin}${prefix}/tools/alerts`;
}

/** Creates a mailer if email is configured. Loads the mail library only in that case. */
async function createMailer({ values: { SMTP_URL: url, ALERT_EMAIL_FROM: from, ALERT_EMAILS: to } }: Config) {
  if (url === undefined || from === undefined || to.length === 0) return undefined;
  const { buildMailer } = await import("../outgoing/mail.ts");
  return buildMailer({ url, from, to });
}

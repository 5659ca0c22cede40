import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, readConfig } from "./config.ts";
import type { SettingName } from "./settings.ts";

const REFUSED: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  NODE_ENV: ["prod"],
  PORT: ["-1", "65536", "80.5", "http", "0x10", "3e3"],
  DATABASE_URL: [
    "mysql://host/db",
    "postgres://",
    "postgres://host /db",
    "postgres://me:se#cret@host/db",
    "postgres://me:secret@host:99999/db",
    "postgres://me@one:5432,/db",
    "postgres://me@one,two/db?target_session_attrs=standby",
  ],
  DATABASE_REPLICA_URL: ["postgres://host/db"],
  DATABASE_REPLICA_MAX_DELAY: ["0", "soon"],
  DATABASE_CONNECTIONS: ["2", "many"],
  WORKERS: ["0", "65", "1.5", "-1", "all"],
  LOG_LEVEL: ["loud"],
  TZ: ["Nowhere/Land"],
  PROXY_USER_HEADER: ["Remote User", "X-User:", "Remote_User", "Authorization", "proxy-authorization", "cookie"],
  PROXY_USER_NETWORKS: ["proxy.example", "0.0.0.0/0", "10.0.0.0/33"],
  OIDC_ISSUER: [
    "id.example.com",
    "http://id.example.com",
    "https://id.example.com/?realm=hotel",
    "https://id.example.com/#hotel",
    "https://me@id.example.com",
  ],
  OIDC_SCOPES: ["openid profile", 'a"b'],
  OIDC_REQUIRED_ACR: ["two words"],
  TRUST_PROXY: ["proxy.example", "10.0.0.0/33", "10.0.0.0/0", "::1/129", "10.0.0.0/8/8", "10.0.0.0/x"],
  PUBLIC_URL: [
    "rooms.example.com",
    "ftp://rooms.example.com",
    "https://me@rooms.example.com",
    "https://:secret@rooms.example.com",
    "https://rooms.example.com/?a=1",
    "https://rooms.example.com/#a",
    "https://rooms.example.com//rack",
    "https://rooms.example.com/our//rack",
    "https://rooms.example.com/rack//",
    "https://rooms.example.com/rack;a",
    "https://rooms.example.com/rack,a",
  ],
  SESSION_IDLE_HOURS: ["0", "25"],
  SESSION_MAX_DAYS: ["0", "31"],
  KEEP_AUDIT_DAYS: ["29", "3651"],
  KEEP_LOG_DAYS: ["0", "3651"],
  KEEP_NIGHTS_DAYS: ["29", "3651"],
  KEEP_ERRORS_DAYS: ["0", "3651"],
  KEEP_ERRORS: ["999", "100000001"],
  KEEP_ERRORS_MB: ["0", "1000001", "1.5"],
  IGNORE_NOT_FOUND: ["wp-login.php", "*.php,.env"],
  IGNORE_CSP_REPORTS: ["everything", "extensions,about:"],
  SECRET_NAMES: ["a", "guest code", "guest-code,<b>", "1st"],
  ERROR_WEBHOOK_URL: ["http://hooks.example", "hooks.example", "https://me@hooks.example"],
  ERROR_WEBHOOK_SECRET: ["fifteen letters"],
};

/** Valid settings to combine with the invalid ones above. */
const VALID_SETTINGS = {
  ERROR_WEBHOOK_SECRET: "sixteen letters!",
  PROXY_USER_HEADER: "Remote-User",
  PROXY_USER_NETWORKS: "10.0.0.0/8",
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "roomrack",
  OIDC_CLIENT_SECRET: "secret",
  PUBLIC_URL: "https://rooms.example.com",
};

for (const [name, values] of Object.entries(REFUSED)) {
  for (const value of values) {
    test(`${name} refuses '${value}'`, () => {
      assert.throws(
        () => readConfig({ ...VALID_SETTINGS, [name]: value }),
        (error) => error instanceof ConfigError && error.message.split("\n").length === 3 && error.message.includes(`\n  ${name}: `),
      );
    });
  }
}

test("refuses a webhook without a secret", () => {
  const ERROR_WEBHOOK_URL = "https://hooks.example/errors";
  assert.throws(() => readConfig({ ERROR_WEBHOOK_URL }), /\n {2}ERROR_WEBHOOK_SECRET: must be set if ERROR_WEBHOOK_URL is set/);
  const { values } = readConfig({ ERROR_WEBHOOK_URL, ERROR_WEBHOOK_SECRET: "sixteen letters!" });
  assert.equal(values.ERROR_WEBHOOK_URL?.href, ERROR_WEBHOOK_URL);
});

test("refuses easily guessed passwords, except in development on this machine", () => {
  for (const name of ["ADMIN_PASSWORD", "VIEWER_PASSWORD"]) {
    for (const password of ["eleven-char", "password", "Password1234", "administrator"]) {
      for (const place of [{ NODE_ENV: "production" }, { HOST: "0.0.0.0" }, { HOST: "192.0.2.1", NODE_ENV: "test" }]) {
        const fault = new RegExp(`\n {2}${name}: must have at least 12 characters and must not be a common password`);
        assert.throws(() => readConfig({ ...place, [name]: password }), fault, password);
        assert.doesNotThrow(() => readConfig({ ...place, [name]: "correct-horse" }));
      }
      for (const HOST of ["127.0.0.1", "::1", "localhost"])
        assert.deepEqual(readConfig({ HOST, [name]: password }).weakPasswords, [name], password);
    }
    assert.deepEqual(readConfig({ [name]: "correct-horse" }).weakPasswords, []);
  }
});

test("refuses the same password for viewers and administrators", () => {
  const same = { ADMIN_PASSWORD: "correct-horse", VIEWER_PASSWORD: "correct-horse" };
  assert.throws(() => readConfig(same), /\n {2}VIEWER_PASSWORD: must differ from ADMIN_PASSWORD/);
  assert.equal(readConfig({ ...same, VIEWER_PASSWORD: "other-horse" }).values.VIEWER_PASSWORD, "other-horse");
});

test("requires both the header and the networks of an authenticating proxy, or neither", () => {
  const [PROXY_USER_HEADER, PROXY_USER_NETWORKS] = ["Remote-User", "10.0.0.0/8"];
  for (const missing of [{}, { PROXY_USER_NETWORKS: "," }, { PROXY_ADMINS: "anna" }])
    assert.throws(
      () => readConfig({ PROXY_USER_HEADER, ...missing }),
      /\n {2}PROXY_USER_NETWORKS: must list your proxy if PROXY_USER_HEADER is set/,
    );
  for (const alone of [{ PROXY_USER_NETWORKS }, { PROXY_ADMINS: "anna" }])
    assert.throws(() => readConfig(alone), /\n {2}PROXY_USER_HEADER: must be set if PROXY_USER_NETWORKS or PROXY_ADMINS is set/);
  const { values } = readConfig({ PROXY_USER_HEADER, PROXY_USER_NETWORKS, PROXY_ADMINS: " anna , ben," });
  assert.deepEqual(
    [values.PROXY_USER_HEADER, values.PROXY_USER_NETWORKS, values.PROXY_ADMINS],
    ["Remote-User", ["10.0.0.0/8"], ["anna", "ben"]],
  );
});

test("requires all settings that OpenID Connect needs", () => {
  const PUBLIC_URL = "https://rooms.example.com";
  const complete = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "roomrack", OIDC_CLIENT_SECRET: "secret", PUBLIC_URL };
  assert.equal(readConfig(complete).values.OIDC_ISSUER?.href, "https://id.example.com/");
  for (const loopback of ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])
    assert.ok(readConfig({ ...complete, OIDC_ISSUER: loopback }));
  for (const missing of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"])
    assert.throws(() => readConfig({ ...complete, [missing]: "" }), new RegExp(`^ {2}${missing}: must be set if OIDC_ISSUER is set`, "m"));
  for (const alone of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_SCOPES", "OIDC_REQUIRED_ACR"])
    assert.throws(() => readConfig({ [alone]: "text" }), /\n {2}OIDC_ISSUER: must be set if another OIDC setting is set/);
  for (const values of ["OIDC_ADMINS", "OIDC_EDITORS", "OIDC_VIEWERS"]) {
    assert.throws(() => readConfig({ ...complete, [values]: "it" }), /\n {2}OIDC_ROLE_CLAIM: must be set if/);
    assert.ok(readConfig({ ...complete, [values]: "it", OIDC_ROLE_CLAIM: "groups" }));
  }
  assert.throws(() => readConfig({ ...complete, OIDC_ROLE_CLAIM: "groups" }), /\n {2}OIDC_ADMINS: must be set if OIDC_ROLE_CLAIM is set/);
});

test("reports invalid settings and conflicts between settings in one error", () => {
  const ERROR_WEBHOOK_URL = "https://hooks.example/errors";
  const three = { ERROR_WEBHOOK_URL, PROXY_USER_HEADER: "Remote-User", ADMIN_PASSWORD: "same-password", VIEWER_PASSWORD: "same-password" };
  assert.throws(
    () => readConfig({ ...three, NODE_ENV: "prod" }),
    /NODE_ENV: .*\n {2}ERROR_WEBHOOK_SECRET: .*\n {2}VIEWER_PASSWORD: .*\n {2}PROXY_USER_NETWORKS: /,
  );
});

test("accepts the minimum and maximum of a range", () => {
  const { KEEP_NIGHTS_DAYS, PORT } = readConfig({ KEEP_NIGHTS_DAYS: "30", PORT: "65535" }).values;
  assert.deepEqual([KEEP_NIGHTS_DAYS, PORT], [30, 65_535]);
});

test("defaults to one worker per core in production and to one worker otherwise", () => {
  const cores = Math.min(availableParallelism(), 64);
  const workersWith = (settings: Record<string, string>) => readConfig(settings).workers;
  assert.deepEqual([workersWith({}), workersWith({ NODE_ENV: "production" })], [1, cores]);
  assert.deepEqual([workersWith({ WORKERS: "auto" }), workersWith({ WORKERS: "3", NODE_ENV: "production" })], [cores, 3]);
});

test("trims values, including Windows line endings", () => {
  const { values, dataDir } = readConfig({
    PORT: " 8080 ",
    HOST: "0.0.0.0\r",
    NODE_ENV: "production\r",
    DATA_DIR: "/srv/rack ",
    ADMIN_PASSWORD: "correct-horse\r",
    TZ: "Europe/Rome\r",
  });
  assert.deepEqual(
    [values.PORT, values.HOST, values.NODE_ENV, dataDir, values.ADMIN_PASSWORD, values.TZ],
    [8080, "0.0.0.0", "production", "/srv/rack", "correct-horse", "Europe/Rome"],
  );
});

test("reads passwords and the client secret from files", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "roomrack-passwords-"));
  const fileOf = (text: string) => {
    const path = join(folder.path, `file-${text.length}`);
    writeFileSync(path, text);
    return path;
  };
  const NODE_ENV = "production";
  const read = readConfig({
    NODE_ENV,
    ADMIN_PASSWORD_FILE: fileOf("correct horse battery \r\n"),
    VIEWER_PASSWORD_FILE: fileOf("only for looking"),
  });
  assert.deepEqual([read.values.ADMIN_PASSWORD, read.values.VIEWER_PASSWORD], ["correct horse battery ", "only for looking"]);
  const refusals: [string, RegExp][] = [
    [join(folder.path, "missing"), /^ {2}ADMIN_PASSWORD_FILE: cannot be read: ENOENT/m],
    [folder.path, /^ {2}ADMIN_PASSWORD_FILE: cannot be read: EISDIR/m],
    [fileOf("\n"), /^ {2}ADMIN_PASSWORD_FILE: must contain one line of text, but .* is empty$/m],
    [fileOf("correct-horse\nbattery-staple\n"), /^ {2}ADMIN_PASSWORD_FILE: must contain one line/m],
    [fileOf("password1234"), /^ {2}ADMIN_PASSWORD_FILE: must have at least 12 characters and must not be a common password/m],
  ];
  for (const [ADMIN_PASSWORD_FILE, error] of refusals)
    assert.throws(
      () => readConfig({ NODE_ENV, ADMIN_PASSWORD_FILE }),
      (thrown: Error) => error.test(thrown.message) && !/battery|password1234/.test(thrown.message),
      ADMIN_PASSWORD_FILE,
    );
  const provider = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "roomrack", PUBLIC_URL: "https://rooms.example.com" };
  assert.equal(readConfig({ ...provider, OIDC_CLIENT_SECRET_FILE: fileOf("client secret\n") }).values.OIDC_CLIENT_SECRET, "client secret");
  const twice = { ...provider, OIDC_CLIENT_SECRET: "one", OIDC_CLIENT_SECRET_FILE: fileOf("two") };
  assert.throws(() => readConfig(twice), /OIDC_CLIENT_SECRET_FILE: must not be set together with OIDC_CLIENT_SECRET/);
  const both = { NODE_ENV, ADMIN_PASSWORD: "correct-horse-battery", ADMIN_PASSWORD_FILE: fileOf("correct-horse-staple") };
  assert.throws(() => readConfig(both), /ADMIN_PASSWORD_FILE: must not be set together with ADMIN_PASSWORD/);
});

test("treats empty and blank values as absent", () => {
  const { values, set } = readConfig({ PORT: "", KEEP_LOG_DAYS: "  ", DATABASE_URL: " ", HOST: "\t", TRUST_PROXY: "" });
  assert.deepEqual(
    [values.PORT, values.KEEP_LOG_DAYS, values.DATABASE_URL, values.HOST, values.TRUST_PROXY, set.size],
    [3000, 90, undefined, "127.0.0.1", [], 0],
  );
});

test("requires at least three database connections for each process", () => {
  assert.equal(readConfig({ DATABASE_CONNECTIONS: "12", WORKERS: "4" }).values.DATABASE_CONNECTIONS, 12);
  assert.throws(() => readConfig({ DATABASE_CONNECTIONS: "11", WORKERS: "4" }), /DATABASE_CONNECTIONS: must be at least 3 per process/);
});

test("accepts a PostgreSQL socket, several hosts, and any characters in the password", () => {
  for (const DATABASE_URL of [
    "postgres://me:se%23cret@host/db",
    "postgresql://%2Frun%2Fpostgresql/db",
    "postgres:///db?host=/run/postgresql",
    "postgres://me:secret@one:5432,two:5433/db?target_session_attrs=read-write",
  ]) {
    assert.equal(readConfig({ DATABASE_URL }).values.DATABASE_URL, DATABASE_URL);
  }
});

test("accepts IPv4 and IPv6 addresses and networks in TRUST_PROXY", () => {
  const { TRUST_PROXY } = readConfig({ TRUST_PROXY: "127.0.0.1, 10.0.0.0/8 ,::1,fd00::/7," }).values;
  assert.deepEqual(TRUST_PROXY, ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/7"]);
});

test("derives the path prefix and HTTPS from PUBLIC_URL", () => {
  const of = (PUBLIC_URL: string) => {
    const { prefix, https } = readConfig({ PUBLIC_URL });
    return [prefix, https];
  };
  assert.deepEqual(of("https://rooms.example.com/rack/"), ["/rack", true]);
  assert.deepEqual(of("http://rooms.example.com"), ["", false]);
  assert.deepEqual(of("https://rooms.example.com/our.own/räck_1/~me-2"), ["/our.own/r%C3%A4ck_1/~me-2", true]);
});

test("recognizes misspelled setting names without false positives", () => {
  const names = ["Port", "LOGLEVEL", "log-level", "KEEP_LOG_DAY", "ROOMRACK_HOST", "HOST", "HOSTNAME", "PATH", "DATABASE"];
  const { misspelled } = readConfig(Object.fromEntries(names.map((name) => [name, "x"])));
  assert.deepEqual(misspelled, ["Port", "LOGLEVEL", "log-level", "KEEP_LOG_DAY", "ROOMRACK_HOST"]);
});

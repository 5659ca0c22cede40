import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, readConfig, type SettingName } from "./config.ts";

const REFUSED: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  NODE_ENV: ["prod"],
  PORT: ["-1", "65536", "80.5", "http", "0x10", "3e3"],
  DATABASE_URL: [
    "mysql://host/db",
    "postgres://",
    "postgres://host /db",
    "postgres://me:se#cret@host/db",
    "postgres://me:secret@host:99999/db",
  ],
  LOG_LEVEL: ["loud"],
  TZ: ["Nowhere/Land"],
  ADMIN_PASSWORD: ["seven77"],
  TRUST_PROXY: ["proxy.example", "10.0.0.0/33", "10.0.0.0/0", "::1/129", "10.0.0.0/8/8", "10.0.0.0/x"],
  PUBLIC_URL: [
    "rooms.example.com",
    "ftp://rooms.example.com",
    "https://me@rooms.example.com",
    "https://:secret@rooms.example.com",
    "https://rooms.example.com/?a=1",
    "https://rooms.example.com/#a",
  ],
  KEEP_LOG_DAYS: ["0", "3651"],
  KEEP_NIGHTS_DAYS: ["29", "3651"],
  KEEP_ERRORS_DAYS: ["0", "3651"],
  KEEP_ERRORS: ["999", "100000001"],
  IGNORE_NOT_FOUND: ["wp-login.php", "*.php,.env"],
  IGNORE_CSP_REPORTS: ["everything", "extensions,about:"],
  ERROR_WEBHOOK_URL: ["http://hooks.example", "hooks.example", "https://me@hooks.example"],
  ERROR_WEBHOOK_SECRET: ["fifteen letters"],
};

for (const [name, values] of Object.entries(REFUSED)) {
  for (const value of values) {
    test(`${name} is not taken as '${value}'`, () => {
      assert.throws(
        () => readConfig({ ERROR_WEBHOOK_SECRET: "sixteen letters!", [name]: value }),
        (error) => error instanceof ConfigError && error.message.split("\n").length === 3 && error.message.includes(`\n  ${name}: `),
      );
    });
  }
}

test("A webhook without a secret is refused, as nobody could tell what comes from it", () => {
  const ERROR_WEBHOOK_URL = "https://hooks.example/errors";
  assert.throws(() => readConfig({ ERROR_WEBHOOK_URL }), /\n {2}ERROR_WEBHOOK_SECRET: must be set where ERROR_WEBHOOK_URL is/);
  const { values } = readConfig({ ERROR_WEBHOOK_URL, ERROR_WEBHOOK_SECRET: "sixteen letters!" });
  assert.equal(values.ERROR_WEBHOOK_URL?.href, ERROR_WEBHOOK_URL);
});

test("A number of a setting may have blanks around it, as a file of settings may leave them", () => {
  assert.equal(readConfig({ PORT: " 8080 " }).values.PORT, 8080);
});

test("What is empty or blank counts as absent", () => {
  const { values, set } = readConfig({ PORT: "", KEEP_LOG_DAYS: "  ", DATABASE_URL: " ", HOST: "\t", TRUST_PROXY: "" });
  assert.deepEqual(
    [values.PORT, values.KEEP_LOG_DAYS, values.DATABASE_URL, values.HOST, values.TRUST_PROXY, set.size],
    [3000, 90, undefined, "127.0.0.1", [], 0],
  );
});

test("PostgreSQL may be reached by a socket, and with a password of any characters", () => {
  for (const DATABASE_URL of [
    "postgres://me:se%23cret@host/db",
    "postgresql://%2Frun%2Fpostgresql/db",
    "postgres:///db?host=/run/postgresql",
  ]) {
    assert.equal(readConfig({ DATABASE_URL }).values.DATABASE_URL, DATABASE_URL);
  }
});

test("Proxies are addresses and networks of both kinds", () => {
  const { TRUST_PROXY } = readConfig({ TRUST_PROXY: "127.0.0.1, 10.0.0.0/8 ,::1,fd00::/7," }).values;
  assert.deepEqual(TRUST_PROXY, ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/7"]);
});

test("The address of users gives the prefix and whether they come over TLS", () => {
  const of = (PUBLIC_URL: string) => {
    const { prefix, https } = readConfig({ PUBLIC_URL });
    return [prefix, https];
  };
  assert.deepEqual(of("https://rooms.example.com/rack/"), ["/rack", true]);
  assert.deepEqual(of("http://rooms.example.com"), ["", false]);
});

test("Names that look like a setting in another spelling are suspect, and no others", () => {
  const names = ["Port", "LOGLEVEL", "log-level", "KEEP_LOG_DAY", "ROOMRACK_HOST", "HOSTNAME", "PATH", "DATABASE"];
  const { suspects } = readConfig(Object.fromEntries(names.map((name) => [name, "x"])));
  assert.deepEqual(suspects, ["Port", "LOGLEVEL", "log-level", "KEEP_LOG_DAY", "ROOMRACK_HOST"]);
});

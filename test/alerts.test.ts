import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAlerts } from "../src/modules/alerts/evaluate.ts";
import { addressRule } from "../src/outgoing/addresses.ts";
import { buildMailer } from "../src/outgoing/mail.ts";
import { WebhookDelivery } from "../src/webhooks/delivery.ts";
import { createWebhook } from "../src/webhooks/store.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeCategory, makeHotel, makeProperty, postMessage, rateMessage, textOf, summarise } from "./support/hotel.ts";
import { MailServer } from "./support/mail-server.ts";
import { Receiver } from "./support/receiver.ts";
import { addSender, BY_TEST } from "./support/senders.ts";
import { assertValidHtml } from "./support/valid-html.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LOCAL = ["127.0.0.1"];

type Fields = Readonly<Record<string, string>>;
type Shown = { id: number; rule: number; text: string; closedAt: string | null; mutedUntil: string | null };
type Alerts = { open: Shown[]; closed: Shown[]; rules: { id: number; text: string }[] };

eachEngine("alerts", (open) => {
  const start = async () => {
    const service = await startApp({ database: await open() });
    await makeHotel(service);
    return service;
  };
  const act = async (service: TestApp, fields: Fields) => service.visitor().post("/tools/alerts", fields);
  const create = async (service: TestApp, fields: Fields) => {
    const answer = await act(service, { action: "create", ...fields });
    assert.equal(answer.statusCode, 303, textOf(answer));
  };
  const show = async (service: TestApp) => (await service.inject("/tools/alerts?format=json")).json<Alerts>();
  const textsOf = async (service: TestApp) => (await show(service)).open.map(({ text }) => text);
  const checkerOf = (service: TestApp, mailServer?: MailServer) => {
    const mail =
      mailServer && buildMailer({ url: mailServer.url, from: "roomrack@example.com", to: ["ops@example.com", "desk@example.com"] });
    const errors: unknown[] = [];
    const onError = async (error: unknown) => void errors.push(error);
    const checks = { database: service.database, url: "https://rooms.example/tools/alerts", mail, onError };
    /** Advances the clock and checks the alert rules. */
    const check = (ms = MINUTE_MS) => {
      service.clock.set(service.clock.now() + ms);
      return checkAlerts(checks, service.clock.now());
    };
    return { check, errors };
  };
  const counts = (service: TestApp, code = "DBL") =>
    postMessage(service, countMessage({ control: `Start="2026-11-20" End="2026-12-31" InvTypeCode="${code}"`, counts: [[2, 3]] }));

  test("alerts open, are mailed and posted once, repeat daily, can be muted, and close automatically", async () => {
    await using mailServer = await MailServer.start();
    await using receiver = await Receiver.start();
    await using service = await start();
    await createWebhook(service.database, { name: "pager", url: receiver.url, kinds: [], alerts: true }, BY_TEST);
    const delivery = new WebhookDelivery({ ...service, rule: addressRule(LOCAL), log: service.app.log });
    const calls = async () => {
      await delivery.run();
      await delivery.idle();
      return receiver.take().map(({ body }) => JSON.parse(body) as { type: string; data: { text: string; rule: string; url: string } });
    };
    await counts(service);
    await create(service, { kind: "silent", limit: "6", property: "ALP" });
    const { check } = checkerOf(service, mailServer);
    await check(HOUR_MS);
    assert.deepEqual([await textsOf(service), mailServer.take(), await calls()], [[], [], []]);

    await check(6 * HOUR_MS);
    const text = "1 property with no messages accepted for 6 hours: ALP.";
    assert.deepEqual(await textsOf(service), [text]);
    const [mail, ...more] = mailServer.take();
    assert.deepEqual([mail!.to, more], [["ops@example.com", "desk@example.com"], []]);
    assert.match(mail!.text, /Subject: Roomrack alert: 1 property with no messages accepted for 6\s+hours:\s+ALP\./);
    assert.match(mail!.text, /https:\/\/rooms\.example\/tools\/alerts/);
    const [call] = await calls();
    assert.deepEqual([call!.type, call!.data.text, call!.data.rule], ["alert", text, "No messages accepted (6 hours), property ALP"]);
    assert.ok((await service.inject("/")).body.includes(text), "on the overview");
    for (const url of ["/", "/tools/alerts"]) await assertValidHtml((await service.inject(url)).body);

    await check();
    await check(DAY_MS - 2 * MINUTE_MS);
    assert.deepEqual([mailServer.take(), await calls()], [[], []], "within a day");
    await check();
    assert.deepEqual([mailServer.take().length, (await calls()).length], [1, 1], "a day later");

    const [{ id }] = (await show(service)).open as [Shown];
    assert.equal((await act(service, { action: "mute", id: String(id), hours: "720" })).statusCode, 303);
    await check(3 * DAY_MS);
    assert.deepEqual([mailServer.take(), await calls(), (await textsOf(service)).length], [[], [], 1]);
    assert.ok(!(await service.inject("/")).body.includes(text), "muted");
    await act(service, { action: "unmute", id: String(id) });
    await check();
    assert.equal(mailServer.take().length, 1);

    await counts(service);
    await check();
    const { open: left, closed } = await show(service);
    assert.deepEqual([left, closed.map((alert) => alert.text)], [[], [text]]);
    await check(7 * HOUR_MS);
    assert.equal(mailServer.take().length, 1, "opens again");
  });

  test("open alerts are posted to a newly created webhook", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    await create(service, { kind: "silent", limit: "1" });
    const { check } = checkerOf(service);
    await check(2 * HOUR_MS);
    await createWebhook(service.database, { name: "pager", url: receiver.url, kinds: [], alerts: true }, BY_TEST);
    await check();
    const delivery = new WebhookDelivery({ ...service, rule: addressRule(LOCAL), log: service.app.log });
    await delivery.run();
    await delivery.idle();
    assert.equal(receiver.take().length, 1);
  });

  test("alerts whose rule no longer exists are removed at the next check and never mailed", async () => {
    await using mailServer = await MailServer.start();
    await using service = await start();
    await create(service, { kind: "errors" });
    await service.database.write.insertInto("alert").values({ rule: 99, text: "Left over", opened_at: service.clock.now() }).execute();
    await checkerOf(service, mailServer).check();
    assert.deepEqual([await textsOf(service), mailServer.take()], [[], []]);
    assert.doesNotMatch((await service.inject("/")).body, /Left over/);
  });

  test("alert emails are retried a minute after a mail server error", async () => {
    await using mailServer = await MailServer.start();
    await using service = await start();
    await create(service, { kind: "silent", limit: "1" });
    const { check, errors } = checkerOf(service, mailServer);
    mailServer.refuses = true;
    await check(2 * HOUR_MS);
    assert.match(String(errors[0]), /no space/);
    mailServer.refuses = false;
    await check();
    await check();
    assert.equal(mailServer.take().length, 1);
  });

  test("alert rules are checked once a minute, by one process", async () => {
    await using mailServer = await MailServer.start();
    await using service = await start();
    await create(service, { kind: "silent", limit: "1" });
    service.clock.set(START + 2 * HOUR_MS);
    const processes = Array.from({ length: 4 }, () => checkerOf(service, mailServer));
    const checked = await Promise.all(processes.map(({ check }) => check(0)));
    assert.equal(checked.filter(Boolean).length, 1);
    assert.equal(mailServer.take().length, 1);
  });

  test("alerts open for refused messages and unknown codes of a property, a group or all properties", async () => {
    await using service = await start();
    await makeProperty(service, { code: "BET", name: "Bettenburg", groupName: "North" });
    const secret = await addSender(service.database, { name: "channel" });
    const headers = {
      "content-type": "application/xml",
      authorization: `Basic ${Buffer.from(`channel:${secret}`).toString("base64")}`,
    };
    const send = async (code: string) => {
      const payload = countMessage({ control: `Start="2026-11-20" End="2026-11-20" InvTypeCode="${code}"`, counts: [[2, 3]] });
      await service.inject({ method: "POST", url: "/channel", headers, payload });
    };
    await create(service, { kind: "refused", limit: "50" });
    await create(service, { kind: "refused", limit: "50", group: "North" });
    await create(service, { kind: "unknown-codes" });
    await create(service, { kind: "unknown-codes", property: "BET" });
    const { check } = checkerOf(service);
    for (const code of ["NONE", "NONE", "NONE", "DBL", "DBL", "DBL"]) await send(code);
    await check();
    const codes = "1 unknown code: category NONE of ALP (channel).";
    assert.deepEqual(await textsOf(service), [codes], "half of the messages is not more than 50 %");
    await send("NONE");
    await check();
    assert.deepEqual((await textsOf(service)).toSorted(), [codes, "4 of 7 messages in the last hour were refused."]);
    assert.deepEqual((await show(service)).open.map(({ rule }) => rule).toSorted(), [1, 3], "not for the group and the other property");
    await check(HOUR_MS);
    assert.ok(!(await textsOf(service)).some((text) => text.includes("refused")));
  });

  test("alerts open for nights without a price or a count, and close when the nights have both", async () => {
    await using service = await start();
    await create(service, { kind: "no-price", limit: "7" });
    await create(service, { kind: "no-count", limit: "7" });
    await create(service, { kind: "no-count", limit: "60" });
    const { check } = checkerOf(service);
    const found = async () => {
      await summarise(service);
      await check();
      return (await show(service)).open.map(({ rule }) => rule).toSorted();
    };
    assert.deepEqual(await found(), [1, 2, 3]);
    for (const code of ["DBL", "SGL"]) {
      await counts(service, code);
      const amounts = ['NumberOfGuests="1" AmountAfterTax="90.00"', 'NumberOfGuests="2" AmountAfterTax="100.00"'];
      await postMessage(service, rateMessage({ control: `Start="2026-11-20" End="2026-12-31" InvTypeCode="${code}"`, amounts }));
    }
    assert.deepEqual(await found(), [3]);
    await makeProperty(service, { code: "BET", name: "Bettenburg" });
    await makeCategory(service, { hotelCode: "BET", code: "DBL", name: "Double" });
    assert.deepEqual(await found(), [1, 2, 3]);
  });

  test("alerts open for failing webhooks and for open error groups", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    receiver.respond = (response) => response.writeHead(410).end();
    await createWebhook(service.database, { name: "engine", url: receiver.url, alerts: false }, BY_TEST);
    await create(service, { kind: "webhook" });
    await create(service, { kind: "errors" });
    const { check } = checkerOf(service);
    await check();
    assert.deepEqual(await textsOf(service), []);
    await counts(service);
    const delivery = new WebhookDelivery({ ...service, rule: addressRule(LOCAL), log: service.app.log });
    await delivery.run();
    await delivery.idle();
    await service.inject("/no/such/page");
    await service.errors.flush();
    await check();
    assert.deepEqual(await textsOf(service), ["1 webhook failing: engine.", "Errors occurred in 1 open group in the last hour."]);
    await service.visitor().post("/dev/webhooks/1", { action: "disable" });
    await check();
    assert.deepEqual(await textsOf(service), ["Errors occurred in 1 open group in the last hour."], "an administrator has disabled it");
  });

  test("alert rules are validated when they are created, and can be deleted with their alerts", async () => {
    await using service = await start();
    for (const [fields, fault] of [
      [{ kind: "none" }, "Choose what to watch"],
      [{ kind: "silent", limit: "0" }, "Enter 1 to 720 hours"],
      [{ kind: "refused", limit: "101" }, "Enter 1 to 100 %"],
      [{ kind: "errors", property: "ALP" }, "Leave this blank; the rule applies to the whole service"],
      [{ kind: "unknown-codes", property: "NONE" }, "Property NONE does not exist"],
      [{ kind: "unknown-codes", group: "North" }, "There are no properties in group North"],
      [{ kind: "unknown-codes", group: "North", property: "ALP" }, "Enter a property or a group, not both"],
    ] as const) {
      const answer = await act(service, { action: "create", ...fields });
      assert.deepEqual([answer.statusCode, textOf(answer).includes(fault)], [422, true], fault);
    }
    await create(service, { kind: "silent", limit: "1" });
    await checkerOf(service).check(2 * HOUR_MS);
    assert.equal((await textsOf(service)).length, 1);
    await act(service, { action: "delete", id: "1" });
    assert.deepEqual(await show(service), { open: [], closed: [], rules: [] });
    assert.equal((await act(service, { action: "delete", id: "1" })).statusCode, 409);
    const audit = (await service.inject("/tools/audit?subject=alert-rule:1&format=json")).json<{ entries: { action: string }[] }>();
    assert.deepEqual(
      audit.entries.map(({ action }) => action),
      ["delete", "create"],
    );
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { addressRule } from "../src/outgoing/addresses.ts";
import { WebhookDelivery } from "../src/webhooks/delivery.ts";
import { START, startApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { type Answer, parseLines, type Row } from "./support/feed.ts";
import { countMessage, makeHotel, postMessage } from "./support/hotel.ts";
import { Receiver } from "./support/receiver.ts";
import { ADMIN_PASSWORD, TWO_ROLES } from "./support/sign-in.ts";

const document = readFileSync(new URL("../docs/integration.md", import.meta.url), "utf8");

/** The code blocks of a language, without indentation. */
function blocksOf(language: string): string[] {
  return [...document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block!);
}

eachEngine("docs/integration.md", (open, makePlace) => {
  test("docs/integration.md contains commands that work and responses that match the service's", async () => {
    const place = await makePlace();
    await using sender = await startApp({ database: await open(place) });
    await using service = await startApp({ database: await open(place), settings: { ...TWO_ROLES, WEBHOOK_NETWORKS: "127.0.0.1" } });
    await using receiver = await Receiver.start();
    await makeHotel(sender);
    const counts = (first: string, last: string, count: number) =>
      postMessage(sender, countMessage({ control: `Start="${first}" End="${last}" InvTypeCode="DBL"`, counts: [[2, count]] }));
    await counts("2026-12-01", "2026-12-03", 7);
    const folder = mkdtempSync(join(tmpdir(), "roomrack-docs-"));
    const isStream = (block: string) => block.includes("text/event-stream");
    const blocks = blocksOf("sh");
    const script = ["set -e", ...blocks.filter((block) => !isStream(block)), ...blocks.filter(isStream)]
      .join("\n")
      .replace("https://rooms.example.com", await service.listen())
      .replace("https://hooks.example.com/roomrack", receiver.url);
    const shell = spawn("bash", ["-c", script.replace("CURSOR=", "echo loaded\nCURSOR=")], {
      cwd: folder,
      env: { ...process.env, ADMIN_PASSWORD },
    });
    let output = "";
    for await (const text of shell.stdout.setEncoding("utf8")) {
      if (output === "") await counts("2026-12-02", "2026-12-02", 6);
      output += String(text);
      if (output.includes("\ndata: ")) break;
    }
    shell.kill();
    if (shell.exitCode === null) await once(shell, "exit");
    const [row, answer] = blocksOf("json").map((block) => JSON.parse(block) as Row & Answer);
    const read = (file: string) => readFileSync(join(folder, file), "utf8");
    assert.deepEqual(parseLines<Row>(read("inventories.ndjson")).rows, [row]);
    assert.deepEqual(parseLines<Row>(read("rates.ndjson")).rows, []);
    const { changes, ...rest } = JSON.parse(read("changes.json")) as Answer;
    const { changes: documented, ...others } = answer!;
    const [change] = changes;
    assert.deepEqual(changes, [{ ...documented[0], cursor: change!.cursor, time: change!.time, message: change!.message }]);
    assert.deepEqual(Object.keys(rest), Object.keys(others));
    assert.match(output, /"first":"2026-12-02"/);
    const { secret } = JSON.parse(read("webhook.json")) as { secret: string };
    const { deliveries: sent } = JSON.parse(read("deliveries.json")) as { deliveries: { type: string; state: string }[] };
    assert.deepEqual(
      sent.map(({ type, state }) => [type, state]),
      [["test", "pending"]],
    );
    const delivery = new WebhookDelivery({ ...service, rule: addressRule(["127.0.0.1"]), log: service.app.log });
    await delivery.run();
    await delivery.idle();
    const [call] = receiver.take();
    const signature = new Webhook(secret).sign(call!.headers["webhook-id"]!, new Date(START), call!.body);
    assert.equal(call!.headers["webhook-signature"], signature);
    rmSync(folder, { recursive: true });
  });
});

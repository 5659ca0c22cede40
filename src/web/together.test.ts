import assert from "node:assert/strict";
import { test } from "node:test";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { sendTogether } from "./together.ts";

test("Answers that are ready in one turn are sent when all of them are made", async () => {
  assert.deepEqual(await stepsOf("/page"), ["made", "made", "made", "sent", "sent", "sent"]);
});

test("What senders are answered waits for nothing, nor do pages that are kept", async () => {
  for (const path of ["/channel", "/list"]) assert.deepEqual(await stepsOf(path), ["made", "sent", "made", "sent", "made", "sent"], path);
});

/** What becomes of three requests of one turn. */
async function stepsOf(path: string): Promise<string[]> {
  await using app = fastify();
  const steps: string[] = [];
  const answer = (_request: FastifyRequest, reply: FastifyReply) => {
    steps.push("made");
    const end = reply.raw.end.bind(reply.raw);
    reply.raw.end = ((bytes: string) => {
      steps.push("sent");
      return end(bytes);
    }) as typeof end;
    void reply.send("an answer");
  };
  sendTogether(app);
  app.get("/page", answer);
  app.get("/channel", { config: { access: "sender" } }, answer);
  app.get("/list", { config: { kept: true } }, answer);
  await app.ready();
  const answers = await Promise.all([app.inject(path), app.inject(path), app.inject(path)]);
  for (const { body } of answers) assert.equal(body, "an answer");
  return steps;
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";

eachEngine("the runtime page", (open) => {
  test("works even if the database does not respond", async () => {
    const database = await open();
    await using service = await startApp({ database });
    assert.doesNotMatch((await service.inject("/tools/phpinfo")).body, /not responding/);
    await database.close();
    const { statusCode, body } = await service.inject("/tools/phpinfo");
    assert.equal(statusCode, 200);
    assert.match(body, /not responding: .+>check</s);
    assert.match(body, /Event loop/);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";
import { countMessage, makeHotel, postXml, TODAY } from "../../../../test/support/hotel.ts";

test("links a property to its messages and keeps the other filters", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const counts = countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="NONE"`, counts: [[2, 7]] });
  for (const code of ["ALP", "SEA & 1"]) await postXml(service, counts.replace('"ALP"', `"${code.replace("&", "&amp;")}"`));
  const linksOf = async (url: string) =>
    [...(await service.inject(url)).body.matchAll(/href="([^"]+)" title="Messages for this property">/g)].map(([, href]) =>
      href!.replaceAll("&amp;", "&"),
    );
  for (const url of ["/", "/dev", "/dev/logs"])
    assert.deepEqual(await linksOf(url), ["/dev/logs?property=SEA+%26+1", "/dev/logs?property=ALP"], url);
  const [sea = ""] = await linksOf("/dev/logs?outcome=refused&size=25");
  assert.equal(sea, "/dev/logs?property=SEA+%26+1&outcome=refused");
  const { body } = await service.inject(sea);
  assert.match(body, /<code>SEA &amp; 1<\/code><\/td>/);
  assert.doesNotMatch(body, /ALP<|Messages for this property/, "no link if already filtered");
});

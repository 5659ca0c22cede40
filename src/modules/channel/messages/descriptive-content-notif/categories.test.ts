import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { assertScans } from "../../../../../test/support/cpu.ts";
import { categoryForm } from "../../../../records/category/category.ts";
import { listCategories } from "../../../../records/category/list-store.ts";
import { findCategory } from "../../../../records/category/store.ts";
import { readForm, toTypedValues } from "../../../../web/form.ts";

const PUSH = { transport: "alpinebits", action: "OTA_HotelDescriptiveContentNotif:Inventory", version: "2024-10" } as const;
const PULL = { ...PUSH, action: "OTA_HotelDescriptiveInfo:Inventory" } as const;
const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000"';
const push = (hotel: string, rooms: string, more = "") =>
  `<OTA_HotelDescriptiveContentNotifRQ ${NAMESPACE}><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${hotel}"><FacilityInfo><GuestRooms>${rooms}</GuestRooms></FacilityInfo>${more}</HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
const pull = (hotel: string) =>
  `<OTA_HotelDescriptiveInfoRQ ${NAMESPACE}><HotelDescriptiveInfos><HotelDescriptiveInfo HotelCode="${hotel}"/></HotelDescriptiveInfos></OTA_HotelDescriptiveInfoRQ>`;
const description = (text: string, language = "en", format = "PlainText") =>
  `<Description TextFormat="${format}" Language="${language}">${text}</Description>`;
const texts = (code: string, ...descriptions: string[]) =>
  `<MultimediaDescription InfoCode="${code}"><TextItems><TextItem>${descriptions.join("")}</TextItem></TextItems></MultimediaDescription>`;
const pictures = (category: string, ...urls: string[]) =>
  `<MultimediaDescription InfoCode="23"><ImageItems>${urls.map((url) => `<ImageItem Category="${category}"><ImageFormat><URL>${url}</URL></ImageFormat></ImageItem>`).join("")}</ImageItems></MultimediaDescription>`;
const captioned = (captions: string) => pictures("6", "https://hotel.example/a.jpg").replace("</ImageItem>", `${captions}</ImageItem>`);
const media = (...parts: string[]) => `<MultimediaDescriptions>${parts.join("")}</MultimediaDescriptions>`;
const amenities = (...codes: string[]) => `<Amenities>${codes.map((code) => `<Amenity RoomAmenityCode="${code}"/>`).join("")}</Amenities>`;
const GUESTS = 'MinOccupancy="1" MaxOccupancy="3" MaxChildOccupancy="1"';
const TYPE = '<TypeRoom StandardOccupancy="2" RoomClassificationCode="42" Size="24"/>';
const NAME = texts("25", description("Loft"));
const room = (content: string, code = "LOFT", guests = GUESTS) => `<GuestRoom Code="${code}" ${guests}>${content}</GuestRoom>`;
const single = (name: string, code = "LOFT", more = "") => `<GuestRoom Code="${code}"><TypeRoom RoomID="${name}"${more}/></GuestRoom>`;

eachChannel("OTA_HotelDescriptiveContentNotifRQ", (channel) => {
  const readCategory = (property: string, code = "LOFT") =>
    channel.database.read.selectFrom("category").selectAll().where("property", "=", property).where("code", "=", code).executeTakeFirst();

  test("reads HTML with unclosed tags in linear time", async () => {
    const { code } = await channel.hotel();
    const xml = push(code, room(TYPE + media(NAME, texts("1", description("&lt;".repeat(100_000), "en", "HTML")))));
    await assertScans(xml.length, 1_000, () => channel.send(xml, PUSH));
    assert.equal((await readCategory(code))?.description, "<".repeat(10_000));
  });

  test("sorts accented letters next to unaccented ones, even after a name changes", async () => {
    const { code } = await channel.hotel();
    const named = (one: string, name: string) => room(TYPE + media(texts("25", description(name))), one);
    const order = async () => {
      const query = { q: "", hotelCode: code, sort: "name", direction: "asc", page: 1, size: 25 } as const;
      return (await listCategories(channel.database, query)).lines.map(({ name }) => name);
    };
    await channel.send(push(code, named("A", "Écrin") + named("B", "Zirbe") + named("C", "Ebene")), PUSH);
    assert.deepEqual(await order(), ["DBL", "Ebene", "Écrin", "SGL", "Zirbe"]);
    await channel.send(push(code, named("A", "Überblick") + named("B", "Ångström")), PUSH);
    assert.deepEqual(await order(), ["Ångström", "DBL", "Ebene", "SGL", "Überblick"]);
  });

  test("creates a new category with all its fields", async () => {
    const { code } = await channel.hotel({ languages: "de, en" });
    const sentText = media(
      texts("25", description("Loft"), description("Dachzimmer", "de")),
      texts("1", description("&lt;b&gt;Weit&lt;/b&gt; oben", "de", "HTML"), description("High up")),
      pictures("6", "https://hotel.example/a.jpg", "https://hotel.example/b.jpg"),
    );
    const rooms = room(TYPE + amenities("2", "26") + sentText) + single("101") + single("102");
    const { text } = await channel.send(push(code, rooms), PUSH);
    assert.match(text, /<Success\/><\/OTA/);
    const { property, created_at, updated_at, ...stored } = (await readCategory(code))!;
    assert.deepEqual(stored, {
      code: "LOFT",
      name: "Dachzimmer",
      sort_name: "dachzimmer\tDachzimmer",
      description: "Weit oben",
      kind: "room",
      standard_occupancy: 2,
      min_occupancy: 1,
      max_occupancy: 3,
      max_adults: null,
      max_children: 1,
      max_infants: null,
      rooms: 2,
      room_names: "101, 102",
      size: 24,
      beds: null,
      smoking: 0,
      accessible: 0,
      amenities: "2, 26",
      photos: "https://hotel.example/a.jpg\nhttps://hotel.example/b.jpg",
      status: "active",
      sort_order: 0,
      version: 1,
    });
    assert.equal(property, code);
    assert.equal(created_at, channel.clock.now());
    assert.equal(updated_at, created_at);
  });

  test("accepts counts for a category as soon as it is created", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(push(code, room(TYPE + media(NAME))), PUSH);
    const counts = `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${code}"><Inventory><StatusApplicationControl Start="${day(0)}" End="${day(0)}" InvTypeCode="LOFT"/><InvCounts><InvCount CountType="2" Count="1"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
    assert.match((await channel.send(counts)).text, /<Success\/>/);
    assert.equal((await night(day(0), { category: "LOFT" })).available, 1);
    const twelve = await channel.send(counts.replace('Count="1"', 'Count="12"'));
    assert.match(twelve.text, /<Success\/><\//, "the number of rooms is unknown");
    assert.equal((await readCategory(code))?.rooms, 0);
  });

  test("adds a category created by a sender to the full-text search index", async () => {
    const { code } = await channel.hotel();
    await channel.send(push(code, room(TYPE + media(texts("25", description("Sternenzimmer"))))), PUSH);
    const query = { hotelCode: "", q: "sternen", sort: "name", direction: "asc", page: 1, size: 25 } as const;
    const found = await listCategories(channel.database, query);
    assert.ok(found.lines.some((line) => line.hotelCode === code && line.code === "LOFT"));
  });

  test("derives a category's kind from its classification and AlpineBits room type", async () => {
    const { code } = await channel.hotel();
    const kinds = {
      "RoomClassificationCode='13'": "apartment",
      "RoomClassificationCode='3'": "suite",
      "RoomClassificationCode='84'": "dorm",
    };
    const pitch = { "RoomClassificationCode='5' RoomType='8'": "pitch", "RoomClassificationCode='45'": "villa" };
    for (const [attributes, kind] of Object.entries({ ...kinds, ...pitch })) {
      await channel.send(push(code, room(`<TypeRoom StandardOccupancy="2" ${attributes}/>${media(NAME)}`)), PUSH);
      assert.equal((await readCategory(code))?.kind, kind);
    }
  });

  test("clears fields that an AlpineBits message omits but keeps fields that an OpenTravel message omits", async () => {
    const { code } = await channel.hotel();
    await channel.send(push(code, room(TYPE + amenities("2") + media(NAME)) + single("101")), PUSH);
    await channel.send(push(code, `<GuestRoom Code="LOFT">${media(texts("25", description("Attic")))}</GuestRoom>`));
    const renamed = await readCategory(code);
    assert.deepEqual(
      [renamed?.name, renamed?.amenities, renamed?.size, renamed?.max_occupancy, renamed?.version],
      ["Attic", "2", 24, 3, 2],
    );
    await channel.send(push(code, room(`<TypeRoom StandardOccupancy="2" RoomClassificationCode="42"/>${media(NAME)}`)), PUSH);
    const whole = await readCategory(code);
    assert.deepEqual([whole?.name, whole?.amenities, whole?.size, whole?.room_names], ["Loft", null, null, "101"]);
  });

  test("shortens a long name or description and adds a warning", async () => {
    const { code } = await channel.hotel();
    const long = media(texts("25", description("n".repeat(300))), texts("1", description("d".repeat(10_001))));
    const { text } = await channel.send(push(code, room(TYPE + long)));
    assert.match(text, /<Warning Type="11"[^>]*>the name of LOFT was shortened to 255 characters</);
    assert.match(text, /<Warning Type="11"[^>]*>the description of LOFT was shortened to 10000 characters</);
    const stored = await readCategory(code);
    assert.deepEqual([stored?.name.length, stored?.description?.length], [255, 10_000]);
  });

  test("counts a name's length in code points and never splits a surrogate pair", async () => {
    const { code } = await channel.hotel();
    const whole = await channel.send(push(code, room(TYPE + media(texts("25", description("🛏".repeat(255)))))));
    assert.doesNotMatch(whole.text, /was shortened to/);
    assert.equal((await readCategory(code))?.name, "🛏".repeat(255));
    const { text } = await channel.send(push(code, room(TYPE + media(texts("25", description(`x${"🛏".repeat(300)}`))))));
    assert.match(text, /shortened to 255 characters/);
    assert.equal((await readCategory(code))?.name, `x${"🛏".repeat(254)}`);
  });

  test("drops or replaces characters that the category form refuses", async () => {
    const { code } = await channel.hotel();
    const edited = async () => {
      const form = readForm(categoryForm, toTypedValues((await findCategory(channel.database, code, "LOFT"))!));
      return [form.ok || form.faults, form.typed.name, form.typed.description];
    };
    const sentText = (name: string, text: string) => media(texts("25", description(name)), texts("1", description(text)));
    await channel.send(push(code, room(TYPE + sentText("L&#x202e;oft&#x85;&#x9; 2", "a&#13;&#10;b&#13;c&#x2028;d&#xfffd;&#x200f;"))), PUSH);
    assert.deepEqual(await edited(), [true, "Loft 2", "a\nb\nc\nd?\u200f"]);
    await channel.send(push(code, room(TYPE + sentText("&#x200b;&#x2066;", "&#x85;"))), PUSH);
    assert.deepEqual(await edited(), [true, "Loft 2", ""], "an invisible name counts as missing");
  });

  test("does not change a category if the same message is repeated", async () => {
    const { code } = await channel.hotel();
    const same = push(code, room(TYPE + media(NAME)));
    await channel.send(same, PUSH);
    const stored = await readCategory(code);
    const { receipt } = await channel.send(same, PUSH);
    assert.deepEqual(await readCategory(code), stored);
    assert.match(receipt!.verdict.summary, /LOFT unchanged/);
  });

  test("deactivates every category but keeps their nights if the list is empty", async () => {
    const { code, night } = await channel.hotel();
    const closed = `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${code}"><AvailStatusMessage><StatusApplicationControl Start="${day(0)}" End="${day(0)}" InvTypeCode="DBL"/><RestrictionStatus Status="Close"/></AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
    await channel.send(closed);
    assert.match((await channel.send(push(code, ""), PUSH)).text, /<Success\/>/);
    assert.deepEqual([(await readCategory(code, "DBL"))?.status, (await readCategory(code, "SGL"))?.status], ["inactive", "inactive"]);
    assert.deepEqual(await night(day(0), { kind: "rate" }), { stopSell: 1 });
    assert.match((await channel.send(closed)).text, /Code="731"/);
    await channel.send(push(code, room(TYPE + media(NAME), "DBL")), PUSH);
    assert.equal((await readCategory(code, "DBL"))?.status, "active", "described again");
  });

  test("keeps a category's fields when its code changes", async () => {
    const { code } = await channel.hotel({}, { beds: "1 double" });
    const { text } = await channel.send(push(code, `<GuestRoom Code="TWIN" ID="DBL" ${GUESTS}>${TYPE}${media(NAME)}</GuestRoom>`), PUSH);
    assert.match(text, /<Success\/><Warnings>.*DBL was renamed to TWIN/);
    assert.deepEqual([(await readCategory(code, "TWIN"))?.beds, (await readCategory(code, "DBL"))?.status], ["1 double", "inactive"]);
  });

  test("stores a picture in only the first of its sizes", async () => {
    const { code } = await channel.hotel();
    const sizes = ["large", "small"].map((size) => `<ImageFormat><URL>https://hotel.example/${size}.jpg</URL></ImageFormat>`);
    const film = "<VideoItems><VideoItem><VideoFormat><URL>https://hotel.example/film.mp4</URL></VideoFormat></VideoItem></VideoItems>";
    const shown = `<MultimediaDescription><ImageItems><ImageItem>${sizes.join("")}</ImageItem></ImageItems>${film}</MultimediaDescription>`;
    assert.match((await channel.send(push(code, room(TYPE + media(shown))))).text, /<Success\/>/);
    assert.equal((await readCategory(code))?.photos, "https://hotel.example/large.jpg");
  });

  test("reads a category's description but ignores descriptions of its videos and pictures", async () => {
    const { code } = await channel.hotel();
    const film = `<VideoItems><VideoItem>${description("A film")}</VideoItem></VideoItems>`;
    const image = `<ImageItem><ImageFormat><URL>https://hotel.example/a.jpg</URL></ImageFormat>${description("A view")}</ImageItem>`;
    const text = `<TextItems><TextItem>${description("High up")}</TextItem></TextItems>`;
    const shown = `<MultimediaDescription InfoCode="1">${film}<ImageItems>${image}</ImageItems>${text}</MultimediaDescription>`;
    await channel.send(push(code, room(TYPE + media(shown))));
    const stored = await readCategory(code);
    assert.deepEqual([stored?.description, stored?.photos], ["High up", "https://hotel.example/a.jpg"]);
  });

  test("deactivates a category's former code unless the message also includes it", async () => {
    const { code } = await channel.hotel();
    const renamed = (to: string, from: string) => `<GuestRoom Code="${to}" ID="${from}" ${GUESTS}>${TYPE}${media(NAME)}</GuestRoom>`;
    const statuses = async () => Promise.all(["DBL", "TWIN"].map(async (one) => (await readCategory(code, one))?.status));
    const described = room(TYPE + media(NAME), "DBL");
    await channel.send(push(code, described), PUSH);
    const { text } = await channel.send(push(code, renamed("TWIN", "DBL") + described), PUSH);
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await statuses(), ["active", "active"]);
    await channel.send(push(code, renamed("TWIN", "DBL")), PUSH);
    assert.deepEqual(await statuses(), ["inactive", "active"], "the new code already exists");
    await channel.send(push(code, renamed("DBL", "TWIN")), PUSH);
    assert.deepEqual(await statuses(), ["active", "inactive"], "and back");
  });

  const REFUSED: readonly (readonly [rule: string, words: string, rooms: string, more?: string])[] = [
    ["no minimum occupancy", "MinOccupancy", room(TYPE + media(NAME), "LOFT", 'MaxOccupancy="2"')],
    ["no maximum occupancy", "MaxOccupancy", room(TYPE + media(NAME), "LOFT", 'MinOccupancy="2"')],
    [
      "more children than guests",
      "MaxChildOccupancy",
      room(TYPE + media(NAME), "LOFT", 'MinOccupancy="1" MaxOccupancy="2" MaxChildOccupancy="3"'),
    ],
    ["no standard occupancy", "StandardOccupancy", room(`<TypeRoom RoomClassificationCode="42"/>${media(NAME)}`)],
    [
      "a standard occupancy below the minimum",
      "MinOccupancy must not exceed StandardOccupancy",
      room(TYPE + media(NAME), "LOFT", 'MinOccupancy="3" MaxOccupancy="3"'),
    ],
    ["no classification", "RoomClassificationCode", room(`<TypeRoom StandardOccupancy="2"/>${media(NAME)}`)],
    [
      "an unknown classification",
      '"92" for RoomClass',
      room(`<TypeRoom StandardOccupancy="2" RoomClassificationCode="92"/>${media(NAME)}`),
    ],
    ["an unknown room type", '"10" for RoomType', room(TYPE.replace("<TypeRoom ", '<TypeRoom RoomType="10" ') + media(NAME))],
    [
      "an unknown text format",
      '"Markdown" for TextFormat',
      room(TYPE + media(texts("25", description("Loft").replace('"PlainText"', '"Markdown"')))),
    ],
    ["an unknown amenity", '"379" for RoomAmenityCode', room(TYPE + amenities("379") + media(NAME))],
    ["an amenity without a code", "RoomAmenityCode", room(`${TYPE}<Amenities><Amenity/></Amenities>${media(NAME)}`)],
    ["no long name", "InfoCode 25", room(TYPE + media(texts("1", description("High up"))))],
    ["a long name without text", "Description", room(TYPE + media(texts("25")))],
    ["an empty long name", "missing: Description", room(TYPE + media(texts("25", description(" "))))],
    ["no texts", "TextItems", room(TYPE + media(NAME, '<MultimediaDescription InfoCode="1"/>'))],
    ["no InfoCode", "missing: InfoCode", room(TYPE + media(NAME, "<MultimediaDescription/>"))],
    ["a repeated InfoCode", "repeated", room(TYPE + media(NAME, NAME))],
    ["a repeated language", "repeated", room(TYPE + media(texts("25", description("Loft"), description("Attic"))))],
    ["an unknown language", '"xx" for Language', room(TYPE + media(texts("25", description("Loft", "xx"))))],
    ["no pictures", "ImageItems", room(TYPE + media(NAME, '<MultimediaDescription InfoCode="23"/>'))],
    ["an unknown picture category", '"30" for Category', room(TYPE + media(NAME, pictures("30", "https://hotel.example/a.jpg")))],
    ["a picture description in an unknown language", '"xx" for Language', room(TYPE + media(NAME, captioned(description("View", "xx"))))],
    [
      "two picture descriptions in the same language",
      "repeated",
      room(TYPE + media(NAME, captioned(description("View") + description("Sea")))),
    ],
    ["two lists of texts", "one MultimediaDescriptions", room(TYPE + media(NAME) + media(texts("1", description("High up"))))],
    ["an individual room with another category's code", "ATTIC", room(TYPE + media(NAME)) + single("101", "ATTIC")],
    ["an individual room without a name", "RoomID", `${room(TYPE + media(NAME))}<GuestRoom Code="LOFT"><TypeRoom/></GuestRoom>`],
    ["an individual room with a size", "Size belongs", room(TYPE + media(NAME)) + single("101", "LOFT", ' Size="1"')],
    [
      "an individual room with an occupancy",
      "MaxOccupancy belongs",
      `${room(TYPE + media(NAME))}<GuestRoom Code="LOFT" MaxOccupancy="1"><TypeRoom RoomID="1"/></GuestRoom>`,
    ],
    [
      "an individual room with texts",
      "MultimediaDescriptions belongs",
      `${room(TYPE + media(NAME))}<GuestRoom Code="LOFT"><TypeRoom RoomID="1"/>${media(NAME)}</GuestRoom>`,
    ],
    ["a room name with a comma, which would look like two names", "for RoomID", room(TYPE + media(NAME)) + single("101,102")],
    ["an invisible room name", "for RoomID", room(TYPE + media(NAME)) + single("&#x200b;")],
    [
      "too many room names",
      "the names of the individual rooms of LOFT have more than 20000 characters in total",
      room(TYPE + media(NAME)) + Array.from({ length: 2_000 }, (_, at) => single(`Room ${at}`)).join(""),
    ],
    ["an element that belongs to the action Info", "Policies belongs", room(TYPE + media(NAME)), "<Policies/>"],
    ["an invalid category code", "for Code", room(TYPE + media(NAME), "NO/CODE")],
  ];

  test("enforces each rule of AlpineBits Inventory", async () => {
    const { code } = await channel.hotel();
    for (const [rule, words, rooms, more] of REFUSED) {
      const { text, status } = await channel.send(push(code, rooms, more), PUSH);
      assert.equal(status, 200, rule);
      assert.match(text, /<Errors><Error Type="13"/, rule);
      assert.ok(text.includes(words), `${rule}: ${text}`);
      assert.equal(await readCategory(code), undefined, rule);
    }
  });

  test("uses default values for fields that an OpenTravel category omits", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(push(code, `<GuestRoom Code="LOFT" MaxOccupancy="5">${amenities("2", "999")}</GuestRoom>`));
    assert.match(text, /<Success\/><Warnings>.*amenity 999 is not stored/);
    const stored = await readCategory(code);
    assert.deepEqual([stored?.name, stored?.standard_occupancy, stored?.max_occupancy, stored?.amenities], ["LOFT", 2, 5, "2"]);
  });

  test("accepts the hotel code on HotelDescriptiveContents in OpenTravel", async () => {
    const { code } = await channel.hotel();
    const named = (own: string) =>
      push(code, room(TYPE)).replace(`<HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${code}"`, () => {
        return `<HotelDescriptiveContents HotelCode="${code}"><HotelDescriptiveContent ${own}`;
      });
    assert.match((await channel.send(named(""))).text, /<Success\/><\//);
    assert.equal((await readCategory(code))?.status, "active");
    assert.match((await channel.send(named(`HotelCode="${code}"`))).text, /<Success\/><\//);
    assert.match((await channel.send(named('HotelCode="ANOTHER"'))).text, /Code="320"[^>]*>A message must be for one hotel</);
    const byName = named(`HotelCode="${code}"`).replace(
      `HotelDescriptiveContents HotelCode="${code}"`,
      'HotelDescriptiveContents HotelName="Other"',
    );
    assert.match((await channel.send(byName)).text, /<Success\/><\//, "a HotelName without HotelCode is ignored there");
    assert.match((await channel.send(named(""), PUSH)).text, /Required field missing: HotelCode/);
  });

  test("reads the name and the number of guests from OpenTravel attributes", async () => {
    const { code } = await channel.hotel();
    const guests = 'RoomTypeName=" Sky  Loft " MaxOccupancy="4" MaxAdultOccupancy="2" MaxChildOccupancy="0"';
    const { receipt } = await channel.send(push(code, `<GuestRoom Code="LOFT" ${guests}/>`));
    assert.deepEqual(receipt?.verdict.notes.ignored, []);
    const { name, max_adults, max_children } = (await readCategory(code))!;
    assert.deepEqual([name, max_adults, max_children], ["Sky Loft", 2, 0]);
    await channel.send(push(code, `<GuestRoom Code="LOFT" RoomTypeName="Other">${media(NAME)}</GuestRoom>`));
    const later = (await readCategory(code))!;
    assert.deepEqual(
      [later.name, later.max_adults, later.max_children],
      ["Loft", 2, 0],
      "the long name takes precedence, and the other fields stay unchanged",
    );
    await channel.send(push(code, '<GuestRoom Code="LOFT" MaxAdultOccupancy="9" MaxChildOccupancy="9"/>'));
    const { max_adults: adults, max_children: children } = (await readCategory(code))!;
    assert.deepEqual([adults, children], [4, 4], "limited to the maximum occupancy");
    await channel.send(push(code, '<GuestRoom Code="LOFT" MinOccupancy="3" MaxOccupancy="4" MaxAdultOccupancy="4"/>'));
    const { min_occupancy, standard_occupancy, max_adults: most } = (await readCategory(code))!;
    assert.deepEqual([min_occupancy, standard_occupancy, most], [3, 3, 4], "the standard occupancy is at least the minimum occupancy");
    const crowded = await channel.send(push(code, '<GuestRoom Code="LOFT" MaxOccupancy="4" MaxAdultOccupancy="5"/>'));
    assert.match(crowded.text, /Code="320"[^>]*>MaxAdultOccupancy must not exceed MaxOccupancy</);
    const childless = room(TYPE + media(NAME), "LOFT", GUESTS.replace('MaxChildOccupancy="1"', 'MaxChildOccupancy="0"'));
    assert.match(
      (await channel.send(push(code, childless), PUSH)).text,
      /<Error Type="13" Code="320">Invalid value "0" for MaxChildOccupancy/,
    );
  });

  test("returns the active categories in a form that can be sent back", async () => {
    const { code } = await channel.hotel({ name: "Hotel & Garden" });
    await channel.send(push(code, ""), PUSH);
    const sentText = room(
      TYPE + amenities("2", "26") + media(NAME, texts("1", description("High up")), pictures("6", "https://hotel.example/a.jpg")),
    );
    await channel.send(push(code, sentText + single("101")), PUSH);
    const { text } = await channel.send(pull(code), PULL);
    assert.match(text, /<Success\/><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="[^"]+" HotelName="Hotel &amp; Garden">/);
    const rooms = /<GuestRooms>(.*)<\/GuestRooms>/.exec(text)![1]!;
    const stored = await readCategory(code);
    const { receipt } = await channel.send(push(code, rooms), PUSH);
    assert.match(receipt!.verdict.summary, /LOFT unchanged/);
    assert.deepEqual(await readCategory(code), stored);
    assert.ok(!text.includes("DBL"), "inactive ones are not returned");
  });

  test("omits empty descriptions and pictures", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(pull(code), PULL);
    assert.equal(text.match(/<MultimediaDescription InfoCode="25">/g)?.length, 2);
    assert.doesNotMatch(text, /InfoCode="(?:1|23)"|<Amenities/);
  });

  test("refuses a query without a hotel", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(pull(code).replace(/<HotelDescriptiveInfo [^>]*>/, ""), PULL);
    assert.match(text, /Code="321">Required field missing: HotelDescriptiveInfo</);
  });

  test("omits codes that are too long for AlpineBits and adds a warning to the response or the log", async () => {
    const { code } = await channel.hotel();
    const rooms = room(TYPE + media(NAME), "LONG-CODE") + room(TYPE + media(NAME)) + single("the room under the roof");
    await channel.send(push(code, rooms), PUSH);
    const { text } = await channel.send(pull(code), PULL);
    assert.match(text, /<Warning Type="11">not included, because AlpineBits cannot express it: category LONG-CODE, whose code has/);
    assert.match(
      text,
      /<Warning Type="11">not included, because AlpineBits cannot express it: room the room under the roof, whose name has/,
    );
    assert.doesNotMatch(text, /<GuestRoom Code="LONG-CODE"|RoomID=/);
    const older = await channel.send(pull(code), { ...PULL, version: "2020-10" });
    assert.match(older.text, /<Success\/><HotelDescriptiveContents>/);
    assert.match(older.receipt!.verdict.notes.advisories.join(), /category LONG-CODE.*the room under the roof/);
    assert.match((await channel.send(pull(code))).text, /<GuestRoom Code="LONG-CODE"/, "elsewhere");
  });
});

import { type Command, takeNoMore } from "./command.ts";
import { migrateStore } from "./store.ts";

export const migrateCommand: Command = {
  name: "migrate",
  usage: "migrate",
  about: "bring the database to the schema of this version, after a backup",
  async run(args) {
    takeNoMore(args, "npm run migrate");
    const done = await migrateStore();
    console.log(done.length === 0 ? "The database is up to date." : `Done: ${done.join(", ")}`);
    return 0;
  },
};

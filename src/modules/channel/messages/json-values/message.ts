import type { PublishedMessage } from "../../message.ts";
import { examples } from "./examples.ts";

export const jsonValues: PublishedMessage = {
  root: "JSON values",
  about: "Sets availability, rates and restrictions in one JSON request, in Channex format.",
  actions: [],
  examples,
};

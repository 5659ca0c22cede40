import { testPages } from "./page-checks.ts";

testPages("little");

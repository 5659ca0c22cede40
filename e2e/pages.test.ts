import { EVERY_WAY, testPages } from "./page-checks.ts";

testPages("little", EVERY_WAY);

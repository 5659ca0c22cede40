import { EACH_ONCE, testPages } from "./page-checks.ts";

testPages("much", EACH_ONCE);

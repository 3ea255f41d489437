// Makes the pictures of the README: in web/, npx playwright test --config tests/pictures/config.ts
import config from "../../playwright.config";

const maps = config.projects?.find(({ name }) => name === "maps");
const { grep: _, ...everything } = maps ?? {};
export default { ...config, testDir: ".", workers: 1, projects: [{ ...everything, testMatch: "readme.ts" }] };

// Makes the pictures of the README: ./script/pictures
import config from "../../playwright.config";

const maps = config.projects?.find(({ name }) => name === "maps");
const { grep: _, ...everything } = maps ?? {};
export default {
  ...config,
  testDir: ".",
  outputDir: "../../test-results",
  workers: 1,
  projects: [{ ...everything, testMatch: "readme.ts" }],
};

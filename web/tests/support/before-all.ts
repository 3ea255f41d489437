// Runs once, before all tests of a run.
import { writeDocuments } from "./documents";

export default writeDocuments;

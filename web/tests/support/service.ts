// A separate service for the tests: a process with an embedded database in a temporary folder.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const START_LIMIT_MS = 120_000;

/** Tests send requests faster than people. */
const patient = {
  ROADCALL__LIMITS__ADMIN_LOGIN_PER_MINUTE: "10000",
  ROADCALL__LIMITS__PER_USER_PER_MINUTE: "10000",
  ROADCALL__LIMITS__PER_ADDRESS_PER_MINUTE: "10000",
  ROADCALL__LIMITS__PER_CREDENTIAL_PER_MINUTE: "10000",
  ROADCALL__AUTH__OTP_REQUESTS_PER_ADDRESS_PER_HOUR: "100000",
  ROADCALL__LIMITS__REGISTER_MECHANIC_PER_MINUTE: "10000",
  // People in the tests are wherever a test needs them next.
  ROADCALL__DISPATCH__MAX_SPEED_KMH: "1000000",
};

/** Without a developer's own database. */
const { DATABASE_URL: _, ...environment } = process.env;

export class Service {
  private constructor(
    /** The address, without a slash at the end. */
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts it on a free port; `settings` are environment variables such as `ROADCALL__LOG__FILTER`. */
  static async start(settings: Record<string, string> = {}): Promise<Service> {
    const root = resolve(import.meta.dirname, "../../..");
    const binary = process.env["ROADCALL_BIN"] ?? join(root, "target/debug/roadcall");
    if (!existsSync(binary)) throw new Error(`${binary} does not exist: run cargo build, or set ROADCALL_BIN`);
    const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "roadcall-web-"));
    // Root's database runs as another user: if that user had no access here, it would be created in /var/lib, and stay
    // there.
    chmodSync(folder, 0o711);
    const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--data-dir", join(folder, "data")], {
      cwd: root,
      env: { ...environment, ROADCALL__LOG__FILTER: "warn", ...patient, ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const url = await new Promise<string>((found, failed) => {
      const timer = setTimeout(() => failed(new Error("the service did not start in time")), START_LIMIT_MS);
      let printed = "";
      child.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        const at = /(http:\/\/127\.0\.0\.1:\d+)/.exec(printed)?.[1];
        if (at === undefined) return;
        clearTimeout(timer);
        found(at);
      });
      child.once("exit", (code) => failed(new Error(`the service ended with ${code}:\n${printed}`)));
    });
    return new Service(url, child, folder);
  }

  /** Runs a command of the binary on this service's data, with `input` on its standard input. */
  async run(command: string[], input = ""): Promise<void> {
    const child = spawn(this.process.spawnfile, [...command, "--data-dir", join(this.folder, "data")], {
      cwd: resolve(import.meta.dirname, "../../.."),
      env: { ...environment, ROADCALL__LOG__FILTER: "warn" },
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin.end(input);
    const code = await new Promise((ended) => child.once("exit", ended));
    if (code !== 0) throw new Error(`roadcall ${command.join(" ")} ended with ${code}`);
  }

  /** Runs SQL as the database owner: for what takes days. */
  sql(statement: string): void {
    const [, , , port, socketFolder] = readFileSync(
      join(this.folder, "data/postgres/pgdata/postmaster.pid"),
      "utf8",
    ).split("\n");
    execFileSync("psql", [
      "-qX",
      "-v",
      "ON_ERROR_STOP=1",
      "-h",
      socketFolder ?? "",
      "-p",
      port ?? "",
      "-U",
      "roadcall",
      "-d",
      "roadcall",
      "-c",
      statement,
    ]);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGTERM");
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

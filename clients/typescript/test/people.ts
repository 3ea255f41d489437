// People of the tests.
import { connect, dataOf, type Server } from "@roadcall/client";

const url = process.env["ROADCALL_URL"]!;
export const here = { lat: 12.9716, lng: 77.5946 };

export async function customer(): Promise<{ as: Server; token: string }> {
  const phone = `+9198${String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1e8).padStart(8, "0")}`;
  const { data: sent } = await dataOf(connect(url).POST("/auth/send-otp", { body: { phone } }));
  const body = { phone, otp: sent.otp!, name: "Asha Rao" };
  const { data } = await dataOf(connect(url).POST("/auth/verify-otp", { body }));
  return { as: connect(url, data.accessToken), token: data.accessToken };
}

export async function admin(): Promise<Server> {
  const [email, password] = ["admin@roadcall.example", process.env["ROADCALL_TEST_PASSWORD"]!];
  const { idToken } = await dataOf(connect(url).POST("/idp/token", { body: { email, password } }));
  const { data } = await dataOf(connect(url).POST("/auth/admin-login", { body: { idpIdToken: idToken } }));
  return connect(url, data.accessToken);
}

export function vehicleOf(as: Server) {
  const registration_number = `KA${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
  const body = { vehicle_type: "two_wheeler", make: "Hero", model: "Splendor", registration_number } as const;
  return dataOf(as.POST("/vehicles", { body }));
}

// The gateway's own checkout, loaded from the address in the service's settings.
import { brand } from "$shared/brand";
import type { Config } from "$shared/api/config";
import { NoAnswer } from "$shared/api/errors";
import type { Schemas } from "$shared/api/client";

interface Handed {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
}
interface Checkout {
  open(): void;
  on(event: "payment.failed", listener: () => void): void;
}
type MakeCheckout = new (options: {
  key: string;
  order_id: string;
  name: string;
  handler: (handed: Handed) => void;
  modal: { ondismiss: () => void };
}) => Checkout;

let loading: Promise<MakeCheckout> | null = null;

function load(url: string): Promise<MakeCheckout> {
  loading ??= new Promise<MakeCheckout>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve((window as unknown as { Razorpay: MakeCheckout }).Razorpay);
    script.onerror = () => {
      loading = null;
      script.remove();
      reject(new NoAnswer("The checkout can't be loaded."));
    };
    document.head.append(script);
  });
  return loading;
}

/** Opens the checkout and returns its result for verification; null if the person closed it. */
export async function openCheckout(
  payments: Config["payments"],
  order: Schemas["OrderMade"],
): Promise<Schemas["Verify"] | null> {
  if (!payments.checkout_url || !order.gateway_order_id) throw new Error("there is no checkout");
  const Razorpay = await load(payments.checkout_url);
  return new Promise((resolve) => {
    const checkout = new Razorpay({
      key: order.key_id ?? payments.key_id ?? "",
      order_id: order.gateway_order_id ?? "",
      name: brand,
      handler: ({ razorpay_order_id, razorpay_payment_id, razorpay_signature }) =>
        resolve({
          gateway_order_id: razorpay_order_id,
          gateway_payment_id: razorpay_payment_id,
          signature: razorpay_signature,
        }),
      modal: { ondismiss: () => resolve(null) },
    });
    checkout.open();
  });
}

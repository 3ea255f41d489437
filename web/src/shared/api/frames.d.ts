// Written by scripts/types.mjs from asyncapi.json. Do not edit.
import type { components as requests } from "./schema";

type Shared = requests["schemas"];

export interface components {
  schemas: {
    AccuracyM: Shared["AccuracyM"];
    AdviceReason: Shared["AdviceReason"];
    Answers: {
      "availability.set": components["schemas"]["MechanicProfile"];
      "call.accept": components["schemas"]["Call"];
      "call.end": components["schemas"]["Call"];
      "call.invite": components["schemas"]["Call"];
      "call.reject": components["schemas"]["Call"];
      "call.ringing": components["schemas"]["Call"];
      "call.signal": components["schemas"]["Signalled"];
      "chat.read": components["schemas"]["ChatRead"];
      "chat.send": components["schemas"]["Message"];
      "chat.typing": components["schemas"]["Nothing"];
      "fleet.subscribe": components["schemas"]["Nothing"];
      "fleet.unsubscribe": components["schemas"]["Nothing"];
      "job.navigating": components["schemas"]["Job"];
      "job.subscribe": components["schemas"]["Subscribed"];
      "job.unsubscribe": components["schemas"]["Nothing"];
      "location.update": components["schemas"]["LocationReceipt"];
      "offer.accept": components["schemas"]["Job"];
      "offer.decline": components["schemas"]["Offer"];
    };
    Availability: { is_available: boolean };
    Call: Shared["Call"];
    CallbackOutcome: Shared["CallbackOutcome"];
    CallNamed: { call_id: components["schemas"]["Id"] };
    CallReach: Shared["CallReach"];
    CallStatus: Shared["CallStatus"];
    CancelReasonCode: Shared["CancelReasonCode"];
    CaseBeneficiary: Shared["CaseBeneficiary"];
    CaseSnapshot: Shared["CaseSnapshot"];
    CaseStatus: Shared["CaseStatus"];
    CaseVehicle: Shared["CaseVehicle"];
    Channel: Shared["Channel"];
    ChatAuthor: Shared["ChatAuthor"];
    /** The job whose chat it is. */
    ChatOf: { job_id: components["schemas"]["Id"] };
    ChatRead: Shared["ChatRead"];
    /** The last event that the caller has read, over the socket. */
    ChatReadUpTo: {
      job_id: components["schemas"]["Id"];
      up_to_seq: components["schemas"]["Whole1To9223372036854775807"];
    };
    /** A message over the socket: the body of `POST /jobs/{id}/messages`, and the job. */
    ChatSend: {
      body?: components["schemas"]["Text1To2000"] | null;
      client_message_id: components["schemas"]["Id"];
      file_url?: components["schemas"]["FileUrl"] | null;
      job_id: components["schemas"]["Id"];
      lat?: components["schemas"]["Latitude"] | null;
      lng?: components["schemas"]["Longitude"] | null;
      type: components["schemas"]["MessageType"];
    };
    ChatSide: Shared["ChatSide"];
    /** The person who is writing right now. */
    ChatTyping: { user_id: string };
    ClientFrames: {
      "availability.set": components["schemas"]["Availability"];
      "call.accept": components["schemas"]["CallNamed"];
      "call.end": components["schemas"]["CallNamed"];
      "call.invite": components["schemas"]["Invitation"];
      "call.reject": components["schemas"]["CallNamed"];
      "call.ringing": components["schemas"]["CallNamed"];
      "call.signal": components["schemas"]["SignalSent"];
      "chat.read": components["schemas"]["ChatReadUpTo"];
      "chat.send": components["schemas"]["ChatSend"];
      "chat.typing": components["schemas"]["ChatOf"];
      "fleet.subscribe": components["schemas"]["FleetSubscription"];
      "fleet.unsubscribe": components["schemas"]["NoData"];
      "job.navigating": components["schemas"]["NavigatingJob"];
      "job.subscribe": components["schemas"]["Subscription"];
      "job.unsubscribe": components["schemas"]["Subscription"];
      "location.update": components["schemas"]["Points"];
      "offer.accept": components["schemas"]["OfferAnswer"];
      "offer.decline": components["schemas"]["OfferAnswer"];
    };
    ClubRefusalReason: Shared["ClubRefusalReason"];
    ClubStage: Shared["ClubStage"];
    Code: Shared["Code"];
    ContactPerson: Shared["ContactPerson"];
    ContactPreference: Shared["ContactPreference"];
    ContactRole: Shared["ContactRole"];
    ContactWay: Shared["ContactWay"];
    DeliveryStatus: Shared["DeliveryStatus"];
    Draining: {
      /** How long the client should wait before it reconnects; differs per socket, so that not all return at once. */
      retry_after_ms: number;
    };
    EndReason: Shared["EndReason"];
    ErrorDetail: Shared["ErrorDetail"];
    Eta: Shared["Eta"];
    EtaSource: Shared["EtaSource"];
    FileUrl: Shared["FileUrl"];
    FleetCell: Shared["FleetCell"];
    /** What differs from what the socket was sent before. */
    FleetChanges: {
      /** Changed or new; those in which nothing is left have only zeros. */
      cells: components["schemas"]["FleetCell"][];
      /** Of everything in the box, as they are now. */
      counts: components["schemas"]["FleetCounts"];
      details?: components["schemas"]["FleetDetails"] | null;
      /** The current totals of the whole service. */
      everywhere: components["schemas"]["FleetTotals"];
      gone: components["schemas"]["FleetGone"];
      jobs: components["schemas"]["FleetJob"][];
      /** Changed or new. */
      mechanics: components["schemas"]["FleetMechanic"][];
    };
    FleetCounts: Shared["FleetCounts"];
    FleetDetails: Shared["FleetDetails"];
    /** Who is not in the box any more, or not online; jobs that are over. */
    FleetGone: {
      /** Their `id`. */
      jobs: string[];
      /** Their `mechanic_profile_id`. */
      mechanics: string[];
    };
    FleetJob: Shared["FleetJob"];
    FleetJobDetails: Shared["FleetJobDetails"];
    FleetMechanic: Shared["FleetMechanic"];
    FleetMechanicDetails: Shared["FleetMechanicDetails"];
    FleetState: Shared["FleetState"];
    FleetSubscription: {
      /** `west,south,east,north` in degrees. If west is greater than east, the box crosses the date line. */
      bbox: string;
      /**
       * Whether the frames have all open jobs, and the details that a list shows of them and of the mechanics; false
       * if absent.
       */
      details?: boolean | null;
      /** The zoom level as on web maps. */
      zoom: number;
    };
    FleetTotals: Shared["FleetTotals"];
    FleetView: Shared["FleetView"];
    Heading: Shared["Heading"];
    Hello: {
      /** Seconds between the server's pings. */
      heartbeat_s: number;
      /** Seconds between the positions that a mechanic's app should send. */
      location_interval_s: number;
      server_time: components["schemas"]["Timestamp"];
      /** The sign-in session behind the socket. */
      session_id: string;
    };
    Id: Shared["Id"];
    Invitation: { job_id: components["schemas"]["Id"] };
    ItemDestination: Shared["ItemDestination"];
    Job: Shared["Job"];
    JobCallback: Shared["JobCallback"];
    JobConcern: Shared["JobConcern"];
    JobContact: Shared["JobContact"];
    JobDestination: Shared["JobDestination"];
    JobPartner: Shared["JobPartner"];
    JobPartnerContact: Shared["JobPartnerContact"];
    JobPartnerVehicle: Shared["JobPartnerVehicle"];
    JobSnapshot: Shared["JobSnapshot"];
    JobStatus: Shared["JobStatus"];
    JobVehicle: Shared["JobVehicle"];
    Kind: Shared["Kind"];
    Latitude: Shared["Latitude"];
    LeaveReason: Shared["LeaveReason"];
    LineItem: Shared["LineItem"];
    LineItemStatus: Shared["LineItemStatus"];
    LineItemType: Shared["LineItemType"];
    Location: Shared["Location"];
    LocationRate: { interval_s: number };
    LocationReceipt: Shared["LocationReceipt"];
    Longitude: Shared["Longitude"];
    MechanicLeft: Shared["MechanicLeft"];
    MechanicProfile: Shared["MechanicProfile"];
    MechanicStatus: Shared["MechanicStatus"];
    Message: Shared["Message"];
    MessageType: Shared["MessageType"];
    Money: Shared["Money"];
    NavigatingJob: {
      /** False means that they are back in this app; the default is true. */
      is_elsewhere?: boolean | null;
      job_id: components["schemas"]["Id"];
    };
    NearFigures: Shared["NearFigures"];
    /** `{}` */
    NoData: Record<string, never>;
    /** `{}` */
    Nothing: Record<string, never>;
    Notification: Shared["Notification"];
    /** Something seems wrong with the mechanic's own trip. */
    Nudged: {
      concern: components["schemas"]["JobConcern"];
      /** The time since which the concern exists. */
      since: components["schemas"]["Timestamp"];
    };
    Offer: Shared["Offer"];
    OfferAnswer: { offer_id: components["schemas"]["Id"]; reason?: components["schemas"]["Text1To200"] | null };
    OfferedDestination: Shared["OfferedDestination"];
    OfferedJob: Shared["OfferedJob"];
    OfferSnapshot: Shared["OfferSnapshot"];
    OfferStatus: Shared["OfferStatus"];
    Outcome: Shared["Outcome"];
    Outlook: Shared["Outlook"];
    PartnerEventContent: Shared["PartnerEventContent"];
    /** The content of a signal. Never printed. */
    Payload: unknown;
    Payment: Shared["Payment"];
    PaymentStatus: Shared["PaymentStatus"];
    Points: Shared["Points"];
    /** The contents of `job.position`. */
    PositionContent: {
      /** The radius of the circle in which the phone believes to be, in metres; null if unknown. */
      accuracy_m?: number | null;
      /** The case of the job. */
      case_id: string;
      /** The straight line there, in metres. */
      distance_m?: number | null;
      /** The estimated time to the pickup, or to the destination of a loaded vehicle, in seconds; null at the vehicle. */
      eta_s?: number | null;
      job_id: string;
      lat: number;
      lng: number;
      /** The partner's own name for the case. */
      partner_reference: string;
      /** The time by the phone's clock, corrected. */
      recorded_at: components["schemas"]["Timestamp"];
    };
    Progress: { mechanics_offered: number; radius_km: number; round: number };
    PromiseState: Shared["PromiseState"];
    Purpose: Shared["Purpose"];
    RejectedPoint: Shared["RejectedPoint"];
    ServerFrames: {
      "advice.wait": components["schemas"]["WaitingAdvice"];
      "call.ringing": components["schemas"]["Call"];
      "call.signal": components["schemas"]["Signal"];
      "call.updated": components["schemas"]["Call"];
      "case.accepted": components["schemas"]["PartnerEventContent"];
      "case.call_requested": components["schemas"]["PartnerEventContent"];
      "case.closed": components["schemas"]["PartnerEventContent"];
      "case.created": components["schemas"]["PartnerEventContent"];
      "case.expired": components["schemas"]["PartnerEventContent"];
      "case.offered": components["schemas"]["PartnerEventContent"];
      "case.refused": components["schemas"]["PartnerEventContent"];
      "case.withdrawn": components["schemas"]["PartnerEventContent"];
      "chat.message": components["schemas"]["Message"];
      "chat.read": components["schemas"]["ChatRead"];
      "chat.typing": components["schemas"]["ChatTyping"];
      "dispatch.outlook": components["schemas"]["Outlook"];
      "dispatch.progress": components["schemas"]["Progress"];
      "eta.updated": components["schemas"]["Eta"];
      "fleet.changed": components["schemas"]["FleetChanges"];
      "fleet.snapshot": components["schemas"]["FleetView"];
      hello: components["schemas"]["Hello"];
      "job.accepted": components["schemas"]["PartnerEventContent"];
      "job.approval_requested": components["schemas"]["PartnerEventContent"];
      "job.approved": components["schemas"]["PartnerEventContent"];
      "job.arrived": components["schemas"]["PartnerEventContent"];
      "job.cancelled": components["schemas"]["PartnerEventContent"];
      "job.completed": components["schemas"]["PartnerEventContent"];
      "job.corrected": components["schemas"]["PartnerEventContent"];
      "job.created": components["schemas"]["PartnerEventContent"];
      "job.en_route": components["schemas"]["PartnerEventContent"];
      "job.loaded": components["schemas"]["PartnerEventContent"];
      "job.mechanic_left": components["schemas"]["PartnerEventContent"];
      "job.near": components["schemas"]["PartnerEventContent"];
      "job.no_mechanic_found": components["schemas"]["PartnerEventContent"];
      "job.nudge": components["schemas"]["Nudged"];
      "job.outcome": components["schemas"]["PartnerEventContent"];
      "job.paid": components["schemas"]["PartnerEventContent"];
      "job.position": components["schemas"]["PositionContent"];
      "job.promise_accepted": components["schemas"]["PartnerEventContent"];
      "job.promise_extended": components["schemas"]["PartnerEventContent"];
      "job.promise_missed": components["schemas"]["PartnerEventContent"];
      "job.promise_proposed": components["schemas"]["PartnerEventContent"];
      "job.promise_refused": components["schemas"]["PartnerEventContent"];
      "job.rejected": components["schemas"]["PartnerEventContent"];
      "job.searching": components["schemas"]["PartnerEventContent"];
      "job.snapshot": components["schemas"]["Job"];
      "job.started": components["schemas"]["PartnerEventContent"];
      "job.updated": components["schemas"]["Job"];
      "line_item.updated": components["schemas"]["LineItem"];
      "location.rate": components["schemas"]["LocationRate"];
      "location.updated": components["schemas"]["Location"];
      "notification.created": components["schemas"]["Notification"];
      "offer.created": components["schemas"]["Offer"];
      "offer.expired": components["schemas"]["Offer"];
      "offer.revoked": components["schemas"]["Offer"];
      "payment.updated": components["schemas"]["Payment"];
      resync_required: components["schemas"]["Nothing"];
      "server.draining": components["schemas"]["Draining"];
      "session.replaced": components["schemas"]["Nothing"];
      "webhook.test": components["schemas"]["WebhookTestContent"];
      "webhook.verify": components["schemas"]["WebhookChallenge"];
    };
    /** A signal that one device of a call sends to the other. */
    Signal: {
      /** The call whose other side gets the signal. */
      call_id: string;
      payload: components["schemas"]["Payload"];
    };
    Signalled: Shared["Signalled"];
    SignalSent: {
      call_id: components["schemas"]["Id"];
      /** Any JSON of at most 12 KiB; the service does not inspect it. */
      payload: unknown;
    };
    SnapshotBill: Shared["SnapshotBill"];
    SnapshotMechanic: Shared["SnapshotMechanic"];
    SnapshotPlace: Shared["SnapshotPlace"];
    SnapshotPromise: Shared["SnapshotPromise"];
    SpeedMps: Shared["SpeedMps"];
    /** The job's last event when the subscription was made. */
    Subscribed: { job_id: string; seq: number };
    Subscription: {
      job_id: components["schemas"]["Id"];
      since_seq?: components["schemas"]["Whole0To9223372036854775807"] | null;
    };
    Surroundings: Shared["Surroundings"];
    Text1To200: Shared["Text1To200"];
    Text1To2000: Shared["Text1To2000"];
    Timestamp: Shared["Timestamp"];
    TrackPoint: Shared["TrackPoint"];
    Urgency: Shared["Urgency"];
    VehicleType: Shared["VehicleType"];
    WaitingAdvice: Shared["WaitingAdvice"];
    WaitReason: Shared["WaitReason"];
    /** The contents of `webhook.verify`. */
    WebhookChallenge: {
      /** The receiver answers with this text: as the body, or anywhere in its first kilobyte. */
      challenge: string;
    };
    /** The contents of `webhook.test`. */
    WebhookTestContent: {
      /** The subscription that is tried out. */
      subscription_id: string;
    };
    Whole0To9223372036854775807: number;
    Whole1To9223372036854775807: Shared["Whole1To9223372036854775807"];
  };
}

// Written by scripts/types.mjs from asyncapi.json. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: double
         * @description The radius of the circle in which the phone believes to be, in metres; -1 if unknown.
         */
        AccuracyM: number;
        /**
         * @description The advantage of the area.
         * @enum {string}
         */
        AdviceReason: "more_calls" | "fewer_mechanics";
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
        Availability: {
            is_available: boolean;
        };
        /**
         * @description A call between the two sides of a job.
         * @example {
         *       "answered_at": null,
         *       "answered_by_guest": false,
         *       "callee_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1b02",
         *       "caller_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01",
         *       "caller_is_guest": false,
         *       "created_at": "2026-03-14T08:33:54.000Z",
         *       "duration_s": null,
         *       "end_reason": null,
         *       "ended_at": null,
         *       "expires_at": "2026-03-14T08:34:24.000Z",
         *       "id": "019ceb7a-1c20-7b20-9e32-6d1f5aab4301",
         *       "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *       "rings": "account",
         *       "started_at": "2026-03-14T08:33:54.000Z",
         *       "status": "ringing"
         *     }
         */
        Call: {
            /** @description When it was answered; null if it was not. */
            answered_at: components["schemas"]["Timestamp"] | null;
            /** @description Whether the guest of a link answered, in place of the customer. */
            answered_by_guest: boolean;
            /**
             * Format: uuid
             * @description The id of the called user, like `caller_id`.
             */
            callee_id: string;
            /**
             * Format: uuid
             * @description The id of the calling user. One of `caller_id` and `callee_id` is the job's customer, the other its mechanic.
             */
            caller_id: string;
            /** @description Whether the guest of a link calls, in place of the customer. */
            caller_is_guest: boolean;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description Whole seconds from the answer to the end; null while it goes on, and if nobody answered.
             */
            duration_s: number | null;
            end_reason: components["schemas"]["EndReason"] | null;
            /** @description When it ended; null before. */
            ended_at: components["schemas"]["Timestamp"] | null;
            expires_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            rings: components["schemas"]["CallReach"];
            /** @description When the call began to ring. */
            started_at: components["schemas"]["Timestamp"];
            status: components["schemas"]["CallStatus"];
        };
        /**
         * @description The outcome of a request to be called.
         * @enum {string}
         */
        CallbackOutcome: "reached" | "not_reached" | "resolved_without_call" | "mechanic_found";
        CallNamed: {
            call_id: components["schemas"]["Id"];
        };
        /**
         * @description The people on the called side whom a call rings.
         * @enum {string}
         */
        CallReach: "account" | "guests" | "both";
        /**
         * @description The state of a call.
         * @enum {string}
         */
        CallStatus: "ringing" | "accepted" | "rejected" | "missed" | "cancelled" | "ended";
        /**
         * @description Why a job was cancelled: the customer's reason; `admin`, for the reason that an admin wrote down; `no_mechanic_found`, if nobody came and the customer did not search again; or `customer_no_show`.
         * @enum {string}
         */
        CancelReasonCode: "changed_mind" | "found_other_help" | "wait_too_long" | "mechanic_asked_to_cancel" | "wrong_details" | "other" | "admin" | "no_mechanic_found" | "customer_no_show";
        /**
         * @description The way in which a customer pays: at the gateway, or in cash to the mechanic.
         * @enum {string}
         */
        Channel: "online" | "cash";
        /**
         * @description The author of a message.
         * @enum {string}
         */
        ChatAuthor: "customer" | "mechanic" | "guest";
        /** @description The job whose chat it is. */
        ChatOf: {
            job_id: components["schemas"]["Id"];
        };
        /**
         * @description How far one side has read. It only grows.
         * @example {
         *       "at": "2026-03-14T08:31:09.412Z",
         *       "from_seq": 3,
         *       "reader": "mechanic",
         *       "up_to_seq": 4
         *     }
         */
        ChatRead: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The first event that the reader may see; older messages do not count as read.
             */
            from_seq: number;
            reader: components["schemas"]["ChatSide"];
            /**
             * Format: int64
             * @description The number of the last message that was read.
             */
            up_to_seq: number;
        };
        /** @description The last event that the caller has read, over the socket. */
        ChatReadUpTo: {
            job_id: components["schemas"]["Id"];
            up_to_seq: components["schemas"]["Whole1To9223372036854775807"];
        };
        /** @description A message over the socket: the body of `POST /jobs/{id}/messages`, and the job. */
        ChatSend: {
            body?: components["schemas"]["Text1To2000"] | null;
            client_message_id: components["schemas"]["Id"];
            file_url?: components["schemas"]["FileUrl"] | null;
            job_id: components["schemas"]["Id"];
            lat?: components["schemas"]["Latitude"] | null;
            lng?: components["schemas"]["Longitude"] | null;
            type: components["schemas"]["MessageType"];
        };
        /**
         * @description A side of a job.
         * @enum {string}
         */
        ChatSide: "customer" | "mechanic";
        /** @description The person who is writing right now. */
        ChatTyping: {
            /** Format: uuid */
            user_id: string;
        };
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
        /**
         * @description Every error code of the API.
         * @enum {string}
         */
        Code: "BAD_REQUEST" | "UNAUTHORIZED" | "TOKEN_EXPIRED" | "INVALID_OTP" | "SECOND_FACTOR_REQUIRED" | "SIGNATURE_INVALID" | "FORBIDDEN" | "ACCOUNT_SUSPENDED" | "EMAIL_NOT_VERIFIED" | "COOKIE_REFUSED" | "SECOND_FACTOR_MISSING" | "NOT_VERIFIED" | "DESK_NEEDED" | "NOT_FOUND" | "NO_PRIVACY_NOTICE" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "INVALID_TRANSITION" | "OFFER_TAKEN" | "OFFER_EXPIRED" | "ACTIVE_JOB_EXISTS" | "TOO_MANY_OPEN_JOBS" | "NO_NEW_JOBS" | "CONSENT_NEEDED" | "NOTICE_CHANGED" | "PUSH_NOT_SET_UP" | "ALREADY_REGISTERED" | "VEHICLE_IN_USE" | "CATEGORY_IN_USE" | "PENDING_APPROVAL" | "FEE_CHANGED" | "PRICE_CHANGED" | "UNPAID_FEES" | "INSUFFICIENT_BALANCE" | "ALREADY_RATED" | "IDEMPOTENCY_IN_FLIGHT" | "LINK_EXPIRED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED" | "WRONG_START_CODE" | "TOO_FAR_FROM_PICKUP" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "PROVIDER_ERROR" | "UNAVAILABLE" | "OUTCOME_UNKNOWN";
        /**
         * @example {
         *       "first_name": "Asha",
         *       "phone": null,
         *       "who": "booker"
         *     }
         */
        ContactPerson: {
            /** @description The first word of the person's name; null if they gave none. */
            first_name: string | null;
            /** @description The person's number; null unless the service shows numbers (`jobs.show_contact_numbers`). */
            phone: string | null;
            who: components["schemas"]["ContactRole"];
        };
        /**
         * @description The people whom the mechanic calls.
         * @enum {string}
         */
        ContactPreference: "booker" | "beneficiary" | "both";
        /**
         * @description Whether the person created the job or is served by it.
         * @enum {string}
         */
        ContactRole: "booker" | "beneficiary";
        /**
         * @description A way to reach people in the app: POST /jobs/{id}/messages, POST /jobs/{id}/calls.
         * @enum {string}
         */
        ContactWay: "chat" | "call";
        /**
         * @description The status of a notification's push.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "sent" | "failed" | "skipped";
        Draining: {
            /**
             * Format: int32
             * @description How long the client should wait before it reconnects; differs per socket, so that not all return at once.
             */
            retry_after_ms: number;
        };
        /**
         * @description Why a call is over.
         * @enum {string}
         */
        EndReason: "caller_hung_up" | "callee_hung_up" | "declined" | "no_answer" | "job_over" | "reassigned" | "max_length";
        ErrorDetail: {
            code: components["schemas"]["Code"];
            /**
             * Format: int32
             * @description The distance in metres from the caller's last plausible position to the pickup or the destination, if they
             *     are too far away.
             */
            distance_m?: number | null;
            /**
             * @description The faults of each field, only with 422. A fault inside a field is listed under its exact path
             *     (`documents[0].file_url`) and, with its place inside the field, under the field's own name (`documents`). At
             *     most 32 paths are named; if there are more, `body` says so.
             */
            errors?: {
                [key: string]: string[];
            } | null;
            /** @description A message for people, which may change. */
            message: string;
        };
        /**
         * @description How long and how far the mechanic still has to go: to the pickup, and to the destination once the vehicle is loaded.
         * @example {
         *       "distance_m": 868,
         *       "eta_s": 176,
         *       "source": "straight_line"
         *     }
         */
        Eta: {
            /**
             * Format: int32
             * @description The straight-line distance, in metres.
             */
            distance_m: number;
            /**
             * Format: int32
             * @description How long the way takes, in seconds.
             */
            eta_s: number;
            source: components["schemas"]["EtaSource"];
        };
        /**
         * @description The source of an estimate: the straight line or a router, `_learned` where the service's own trips corrected it.
         * @enum {string}
         */
        EtaSource: "straight_line" | "straight_line_learned" | "osrm" | "osrm_learned" | "valhalla" | "valhalla_learned";
        /**
         * Format: uri
         * @description The URL of a file, at most 2,048 bytes: the `file_url` of one of the caller's uploads, or an https URL on a host of
         *     `uploads.allowed_hosts`. The server never fetches it.
         */
        FileUrl: string;
        /** @description What is in a square of the map. */
        FleetCell: components["schemas"]["FleetCounts"] & {
            /**
             * Format: double
             * @description Its middle.
             * @example 12.97
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             * @example 77.61
             */
            lng: number;
            /**
             * Format: double
             * @description Of a side; the same for all cells of an answer.
             * @example 0.010986328125
             */
            size_degrees: number;
        };
        /** @description What differs from what the socket was sent before. */
        FleetChanges: {
            /** @description Changed or new; those in which nothing is left have only zeros. */
            cells: components["schemas"]["FleetCell"][];
            /** @description Of everything in the box, as they are now. */
            counts: components["schemas"]["FleetCounts"];
            details?: components["schemas"]["FleetDetails"] | null;
            /** @description The current totals of the whole service. */
            everywhere: components["schemas"]["FleetTotals"];
            gone: components["schemas"]["FleetGone"];
            jobs: components["schemas"]["FleetJob"][];
            /** @description Changed or new. */
            mechanics: components["schemas"]["FleetMechanic"][];
        };
        FleetCounts: {
            /**
             * Format: int32
             * @description Jobs with a mechanic.
             * @example 8
             */
            active_jobs: number;
            /**
             * Format: int32
             * @description Mechanics who are online and have a job or an offer.
             * @example 9
             */
            busy: number;
            /**
             * Format: int32
             * @description Mechanics who are online without a job or an offer.
             * @example 14
             */
            free: number;
            /**
             * Format: int32
             * @description Jobs without a mechanic.
             * @example 3
             */
            waiting_jobs: number;
        };
        /**
         * @description What an admin's list shows of the jobs and mechanics beyond their places. A socket is sent each once, and again
         *     when it changes or is there again.
         */
        FleetDetails: {
            /** @description What is counted or chosen of jobs. */
            jobs: components["schemas"]["FleetJobDetails"][];
            /** @description More about the mechanics in this part of the map. */
            mechanics: components["schemas"]["FleetMechanicDetails"][];
            /**
             * Format: int32
             * @description Open jobs that are too many to be among `jobs` of the map.
             * @example 0
             */
            omitted_jobs: number;
        };
        /** @description Who is not in the box any more, or not online; jobs that are over. */
        FleetGone: {
            /** @description Their `id`. */
            jobs: string[];
            /** @description Their `mechanic_profile_id`. */
            mechanics: string[];
        };
        /** @description An open job. */
        FleetJob: {
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: double
             * @description The pickup.
             * @example 12.97297
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             * @example 77.61701
             */
            lng: number;
            /**
             * Format: uuid
             * @description Null if none has accepted it.
             */
            mechanic_profile_id: string | null;
            /**
             * Format: uuid
             * @description The kind of help.
             */
            service_category_id: string;
            status: components["schemas"]["JobStatus"];
            urgency: components["schemas"]["Urgency"];
            /** @description When its dispatch began. */
            waiting_since: components["schemas"]["Timestamp"];
        };
        FleetJobDetails: {
            /** @description When it was accepted; null if it was not. */
            accepted_at: components["schemas"]["Timestamp"] | null;
            concern: components["schemas"]["JobConcern"] | null;
            /** @description Null once they have left. */
            customer_name: string | null;
            /** @description The customer's phone number; null if their account has none. */
            customer_phone: string | null;
            /** @description The customer waits to be called. */
            has_open_callback: boolean;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /** @description Where the vehicle stands, in words. */
            pickup_address: string;
            promised_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description The vehicle's number plate.
             * @example KA01AB1234
             */
            vehicle_registration_number: string;
            vehicle_type: components["schemas"]["VehicleType"];
        };
        /** @description A mechanic who is online. */
        FleetMechanic: {
            /**
             * Format: uuid
             * @description The job of a busy one.
             */
            job_id: string | null;
            /**
             * Format: double
             * @description Degrees north (WGS 84).
             * @example 12.9761
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             * @example 77.6243
             */
            lng: number;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description When the position was recorded. */
            seen_at: components["schemas"]["Timestamp"];
            state: components["schemas"]["FleetState"];
        };
        FleetMechanicDetails: {
            /** @description As an admin verified it; else as they wrote it. Null once they have left. */
            mechanic_name: string | null;
            /** @description The mechanic's phone number; null if their account has none. */
            mechanic_phone: string | null;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description The kinds of help. */
            service_category_ids: string[];
            vehicle_types: components["schemas"]["VehicleType"][];
        };
        /**
         * @description What a mechanic who is online does.
         * @enum {string}
         */
        FleetState: "free" | "offered" | "busy";
        FleetSubscription: {
            /**
             * @description `west,south,east,north` in degrees. If west is greater than east, the box crosses the date line.
             * @example 77.55,12.93,77.65,13.01
             */
            bbox: string;
            /**
             * @description Whether the frames have all open jobs, and the details that a list shows of them and of the mechanics; false
             *     if absent.
             */
            details?: boolean | null;
            /**
             * Format: int64
             * @description The zoom level as on web maps.
             * @example 13
             */
            zoom: number;
        };
        /** @description Open jobs and mechanics everywhere. Every display of such a number uses these totals. */
        FleetTotals: {
            /**
             * Format: int64
             * @description Jobs with a mechanic.
             * @example 8
             */
            active_jobs: number;
            /**
             * Format: int64
             * @description Open jobs on whose way something is wrong, or whose mechanic is late: by more than two minutes, or a fifth of the
             *     promised time if that is longer.
             * @example 1
             */
            concerns: number;
            /**
             * Format: int64
             * @description The online mechanics without a job or an offer; null if the engine does not answer in time.
             * @example 14
             */
            free: number | null;
            /**
             * Format: int64
             * @description Mechanics who are online; null if the engine does not answer in time.
             * @example 23
             */
            online: number | null;
            /**
             * Format: int64
             * @description Jobs without a mechanic whose search has begun and goes on.
             * @example 3
             */
            waiting_jobs: number;
        };
        /**
         * @description The mechanics who are online in a box, and the open jobs there: one by one, or counted in cells.
         * @example {
         *       "at": "2026-03-14T08:33:11.090Z",
         *       "cells": [],
         *       "counts": {
         *         "active_jobs": 1,
         *         "busy": 1,
         *         "free": 0,
         *         "waiting_jobs": 0
         *       },
         *       "details": {
         *         "jobs": [
         *           {
         *             "accepted_at": "2026-03-14T08:32:40.000Z",
         *             "concern": null,
         *             "customer_name": "Meera Nair",
         *             "customer_phone": "+919876543210",
         *             "has_open_callback": false,
         *             "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *             "pickup_address": "12 MG Road, Bengaluru",
         *             "promised_at": "2026-03-14T08:44:00.000Z",
         *             "vehicle_registration_number": "KA01AB1234",
         *             "vehicle_type": "two_wheeler"
         *           }
         *         ],
         *         "mechanics": [
         *           {
         *             "mechanic_name": "Ravi Kumar",
         *             "mechanic_phone": "+919845012345",
         *             "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *             "service_category_ids": [
         *               "018f0000-0000-7000-8000-000000000001"
         *             ],
         *             "vehicle_types": [
         *               "two_wheeler"
         *             ]
         *           }
         *         ],
         *         "omitted_jobs": 0
         *       },
         *       "everywhere": {
         *         "active_jobs": 5,
         *         "concerns": 1,
         *         "free": 22,
         *         "online": 28,
         *         "waiting_jobs": 2
         *       },
         *       "is_aggregated": false,
         *       "jobs": [
         *         {
         *           "id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *           "lat": 12.97297,
         *           "lng": 77.61701,
         *           "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *           "service_category_id": "018f0000-0000-7000-8000-000000000001",
         *           "status": "accepted",
         *           "urgency": "normal",
         *           "waiting_since": "2026-03-14T08:32:10.000Z"
         *         }
         *       ],
         *       "mechanics": [
         *         {
         *           "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *           "lat": 12.9761,
         *           "lng": 77.6243,
         *           "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *           "seen_at": "2026-03-14T08:33:10.250Z",
         *           "state": "busy"
         *         }
         *       ]
         *     }
         */
        FleetView: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            /** @description From south to north and from west to east, at most 2,000; only those that have something in them. */
            cells: components["schemas"]["FleetCell"][];
            /** @description Of everything in the box. */
            counts: components["schemas"]["FleetCounts"];
            details: components["schemas"]["FleetDetails"] | null;
            /** @description The totals of the whole service, as `GET /admin/live` counts them. */
            everywhere: components["schemas"]["FleetTotals"];
            /** @description If true, `cells` count what is there, and `mechanics` and `jobs` are empty; with `details`, `jobs` are not. */
            is_aggregated: boolean;
            /**
             * @description By id, at most 2,000. With `details` those elsewhere, too: if they are too many, first those that wait, the longest wait
             *     before the others.
             */
            jobs: components["schemas"]["FleetJob"][];
            /** @description By id, at most 2,000. */
            mechanics: components["schemas"]["FleetMechanic"][];
        };
        /**
         * Format: double
         * @description The direction in degrees clockwise from north; -1 if unknown.
         */
        Heading: number;
        Hello: {
            /**
             * Format: int64
             * @description Seconds between the server's pings.
             */
            heartbeat_s: number;
            /**
             * Format: int32
             * @description Seconds between the positions that a mechanic's app should send.
             */
            location_interval_s: number;
            server_time: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The sign-in session behind the socket.
             */
            session_id: string;
        };
        /**
         * Format: uuid
         * @description An id in a body.
         */
        Id: string;
        Invitation: {
            job_id: components["schemas"]["Id"];
        };
        /**
         * @description The place to which a vehicle would be towed.
         * @example {
         *       "address": "12 Hosur Road, Bengaluru",
         *       "distance_m": 6400,
         *       "duration_s": 900,
         *       "lat": 12.93412,
         *       "lng": 77.61087,
         *       "workshop_id": "019ceb77-7340-7c30-8f43-7e2a6bbc4e01",
         *       "workshop_name": "Lakshmi Motors"
         *     }
         */
        ItemDestination: {
            /** @description The address in words. */
            address: string;
            /**
             * Format: int32
             * @description The distance from the pickup in metres: by road, or the straight line where no router knows the way.
             */
            distance_m: number;
            /**
             * Format: int32
             * @description How long the way takes, in seconds.
             */
            duration_s: number;
            /**
             * Format: double
             * @description Degrees north (WGS 84).
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /**
             * Format: uuid
             * @description The workshop, if it was chosen from `GET /workshops`; the name is the one at that time.
             */
            workshop_id: string | null;
            /** @description The workshop's name; null if it is another place. */
            workshop_name: string | null;
        };
        /**
         * @description A job (contract 2.3). Every field is always present; it is null if it is empty or not meant for this reader.
         * @example {
         *       "accepted_at": "2026-03-14T08:30:12.500Z",
         *       "arrived_at": null,
         *       "base_price": 299,
         *       "beneficiary_name": null,
         *       "beneficiary_phone": null,
         *       "callback": null,
         *       "cancel_reason": null,
         *       "cancel_reason_code": null,
         *       "cancellation_fee": null,
         *       "cancelled_at": null,
         *       "completed_at": null,
         *       "concern": null,
         *       "concern_since": null,
         *       "contact": null,
         *       "contact_preference": "booker",
         *       "created_at": "2026-03-14T08:30:00.000Z",
         *       "currency": "INR",
         *       "customer_first_name": "Asha",
         *       "customer_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01",
         *       "description": "The rear tyre is flat",
         *       "destination": null,
         *       "destination_price": 0,
         *       "disputed_at": null,
         *       "en_route_at": null,
         *       "estimated_price": 299,
         *       "final_price": null,
         *       "hms_room_id": null,
         *       "id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *       "is_unconfirmed": false,
         *       "loaded_at": null,
         *       "mechanic_first_name": "Ravi",
         *       "mechanic_left": null,
         *       "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *       "navigating_since": null,
         *       "outcome": null,
         *       "outcome_notes": null,
         *       "outlook": null,
         *       "photo_urls": [],
         *       "pickup_address": "MG Road, opposite Trinity metro station, Bengaluru",
         *       "pickup_lat": 12.97297,
         *       "pickup_lng": 77.61701,
         *       "promised_at": "2026-03-14T08:36:25.500Z",
         *       "received_by": null,
         *       "resolved_at": null,
         *       "scheduled_for": null,
         *       "seq": 3,
         *       "service_category_id": "018f0000-0000-7000-8000-000000000001",
         *       "service_category_name": "Flat tyre",
         *       "service_category_slug": "flat-tyre",
         *       "start_code": "4821",
         *       "started_at": null,
         *       "status": "accepted",
         *       "travel_price": 0,
         *       "updated_at": "2026-03-14T08:30:12.500Z",
         *       "urgency": "normal",
         *       "vehicle": {
         *         "color": "grey",
         *         "make": "Honda",
         *         "model": "Activa 6G",
         *         "registration_number": "KA01AB1234",
         *         "vehicle_type": "two_wheeler"
         *       },
         *       "vehicle_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1c01",
         *       "vehicle_type": "two_wheeler"
         *     }
         */
        Job: {
            /** @description When it was accepted; null if it was not. */
            accepted_at: components["schemas"]["Timestamp"] | null;
            arrived_at: components["schemas"]["Timestamp"] | null;
            base_price: components["schemas"]["Money"];
            /** @description The name of the person at the vehicle, if that is not the customer. */
            beneficiary_name: string | null;
            /** @description The beneficiary's number; null for mechanics. */
            beneficiary_phone: string | null;
            callback: components["schemas"]["JobCallback"] | null;
            /** @description Why the job was cancelled, in words; null if nobody wrote any. */
            cancel_reason: string | null;
            cancel_reason_code: components["schemas"]["CancelReasonCode"] | null;
            cancellation_fee: components["schemas"]["Money"] | null;
            /** @description When it was cancelled; null if it was not. */
            cancelled_at: components["schemas"]["Timestamp"] | null;
            /** @description When it was completed; null before. */
            completed_at: components["schemas"]["Timestamp"] | null;
            concern: components["schemas"]["JobConcern"] | null;
            concern_since: components["schemas"]["Timestamp"] | null;
            contact: components["schemas"]["JobContact"] | null;
            contact_preference: components["schemas"]["ContactPreference"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * @description The currency of all amounts.
             * @example INR
             */
            currency: string;
            /** @description Null for the mechanic once they are paid, or the job has ended otherwise. */
            customer_first_name: string | null;
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            /** @description What people say about it, in their own words. */
            description: string | null;
            destination: components["schemas"]["JobDestination"] | null;
            /**
             * @description The price of the way to the destination; 0 without a destination, and for a tow that was agreed on the spot, whose price
             *     is a line item's.
             */
            destination_price: components["schemas"]["Money"];
            disputed_at: components["schemas"]["Timestamp"] | null;
            en_route_at: components["schemas"]["Timestamp"] | null;
            estimated_price: components["schemas"]["Money"];
            final_price: components["schemas"]["Money"] | null;
            /** @description The room in which the customer and the present mechanic talk; null until one of them asks for a token. */
            hms_room_id: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether an admin gave the job to its mechanic, who has not set out yet: nobody knows whether they have seen it. */
            is_unconfirmed: boolean;
            loaded_at: components["schemas"]["Timestamp"] | null;
            /** @description The mechanic's first name; null before acceptance. */
            mechanic_first_name: string | null;
            mechanic_left: components["schemas"]["MechanicLeft"] | null;
            /**
             * Format: uuid
             * @description The mechanic's profile; `GET /mechanics/{id}` returns more about them.
             */
            mechanic_profile_id: string | null;
            navigating_since: components["schemas"]["Timestamp"] | null;
            outcome: components["schemas"]["Outcome"] | null;
            /** @description The mechanic's notes on the work. */
            outcome_notes: string | null;
            outlook: components["schemas"]["Outlook"] | null;
            /** @description Photos of the damage that the customer sent. */
            photo_urls: string[];
            /** @description Where the vehicle stands, in words. */
            pickup_address: string;
            /**
             * Format: double
             * @description Degrees north (WGS 84) of where the vehicle stands.
             */
            pickup_lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84) of where the vehicle stands.
             */
            pickup_lng: number;
            promised_at: components["schemas"]["Timestamp"] | null;
            /** @description The name of the person who received the vehicle at its destination, as given by the mechanic. */
            received_by: string | null;
            /** @description When the dispute was decided; null before. */
            resolved_at: components["schemas"]["Timestamp"] | null;
            scheduled_for: components["schemas"]["Timestamp"] | null;
            /**
             * Format: int64
             * @description The number of the last event in the job's log that this includes.
             */
            seq: number;
            /**
             * Format: uuid
             * @description The kind of help.
             */
            service_category_id: string;
            /** @description The category's name when the job was created. The name and the slug stay even if the category is deleted. */
            service_category_name: string;
            /** @description A name of the kind of help that stays the same, for programs. */
            service_category_slug: string;
            /** @description Four digits that the mechanic needs to start work; only for the customer, from accepted to arrived. */
            start_code: string | null;
            started_at: components["schemas"]["Timestamp"] | null;
            status: components["schemas"]["JobStatus"];
            travel_price: components["schemas"]["Money"];
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
            urgency: components["schemas"]["Urgency"];
            vehicle: components["schemas"]["JobVehicle"];
            /**
             * Format: uuid
             * @description The customer's vehicle.
             */
            vehicle_id: string;
            vehicle_type: components["schemas"]["VehicleType"];
        };
        /**
         * @description The customer's request to be called, as the customer and admins see it with the job.
         * @example {
         *       "done_at": null,
         *       "note": "I can answer until nine",
         *       "outcome": null,
         *       "requested_at": "2026-03-14T08:30:05.000Z"
         *     }
         */
        JobCallback: {
            done_at: components["schemas"]["Timestamp"] | null;
            /** @description The customer's words. */
            note: string | null;
            outcome: components["schemas"]["CallbackOutcome"] | null;
            /** @description When it was asked for. */
            requested_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description What is wrong with the mechanic on its way: nothing is heard of it, it stands still, it gets farther away, or it
         *     will be late.
         * @enum {string}
         */
        JobConcern: "dark" | "stalled" | "moving_away" | "slipping";
        /**
         * @description The people whom the mechanic contacts, and the ways to do so.
         * @example {
         *       "people": [
         *         {
         *           "first_name": "Asha",
         *           "phone": null,
         *           "who": "booker"
         *         }
         *       ],
         *       "ways": [
         *         "chat",
         *         "call"
         *       ]
         *     }
         */
        JobContact: {
            /** @description The people to contact, according to `contact_preference`; the person with the vehicle comes first. */
            people: components["schemas"]["ContactPerson"][];
            /** @description The ways in the app, from acceptance on. After the end of the work each way is left out once it is closed. */
            ways: components["schemas"]["ContactWay"][];
        };
        /**
         * @description The vehicle's destination.
         * @example {
         *       "address": "12 Hosur Road, Bengaluru",
         *       "distance_m": 6400,
         *       "driven_m": 6520,
         *       "duration_s": 900,
         *       "lat": 12.93412,
         *       "lng": 77.61087,
         *       "receiver_name": "Lakshmi",
         *       "receiver_phone": "+919812300002",
         *       "workshop_id": "019ceb77-7340-7c30-8f43-7e2a6bbc4e01",
         *       "workshop_name": "Lakshmi Motors"
         *     }
         */
        JobDestination: {
            /** @description The address in words. */
            address: string;
            /**
             * Format: int32
             * @description The distance from the pickup in metres, as it was when the destination was agreed: by road, or the straight line.
             */
            distance_m: number;
            /**
             * Format: int32
             * @description The distance that the mechanic drove with the vehicle, at least: between their positions in straight lines, in metres.
             *     Null until it is handed over, and if no position came on the way.
             */
            driven_m: number | null;
            /**
             * Format: int32
             * @description How long the way takes, in seconds.
             */
            duration_s: number;
            /**
             * Format: double
             * @description Degrees north (WGS 84).
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /** @description Who receives the vehicle at the destination; null if nobody is named. */
            receiver_name: string | null;
            /** @description The receiver's number; null for mechanics once the job is over. */
            receiver_phone: string | null;
            /**
             * Format: uuid
             * @description The workshop, if it was chosen from `GET /workshops`; the name is the one at that time.
             */
            workshop_id: string | null;
            /** @description The workshop's name; null if it is another place. */
            workshop_name: string | null;
        };
        /**
         * @description Contract 3.1.
         * @enum {string}
         */
        JobStatus: "pending" | "dispatching" | "accepted" | "en_route" | "arrived" | "in_progress" | "completed" | "paid" | "cancelled" | "no_mechanic_found" | "disputed" | "resolved";
        /**
         * @description The vehicle as it was when the job was created; readable even after the vehicle is deleted.
         * @example {
         *       "color": "grey",
         *       "make": "Honda",
         *       "model": "Activa 6G",
         *       "registration_number": "KA01AB1234",
         *       "vehicle_type": "two_wheeler"
         *     }
         */
        JobVehicle: {
            /** @description The vehicle's colour, in words. */
            color: string | null;
            /** @description The vehicle's make; empty if nobody has given it. */
            make: string;
            /** @description The vehicle's model; empty if nobody has given it. */
            model: string;
            /** @description The vehicle's plate; null for the mechanic once the job is over. */
            registration_number: string | null;
            vehicle_type: components["schemas"]["VehicleType"];
        };
        /**
         * @description The subject of a notification.
         * @enum {string}
         */
        Kind: "job_offer" | "job_created" | "job_assigned" | "job_accepted" | "job_corrected" | "job_en_route" | "job_delayed" | "job_near" | "job_arrived" | "job_started" | "job_loaded" | "job_interrupted" | "job_needs_admin" | "job_completed" | "job_paid" | "job_cancelled" | "no_show_reported" | "no_show_contested" | "no_show_decided" | "tow_decided" | "job_released" | "job_reassigned" | "job_silent" | "job_lost_by_silence" | "no_mechanic_found" | "search_long" | "search_unserved" | "search_shorter" | "line_item_proposed" | "line_item_approved" | "line_item_rejected" | "payment_captured" | "payment_failed" | "surplus_returned" | "refund_processed" | "refund_failed" | "dispute_opened" | "dispute_statement" | "dispute_paid" | "dispute_resolved" | "mechanic_verified" | "mechanic_rejected" | "mechanic_suspended" | "mechanic_reinstated" | "mechanic_change_approved" | "mechanic_change_rejected" | "grievance_answered" | "upi_verified" | "upi_name_mismatch" | "upi_invalid" | "upi_approved" | "upi_rejected" | "withdrawal_paid" | "withdrawal_failed" | "withdrawal_reversed" | "rating_received" | "chat_message" | "call_incoming" | "call_missed" | "callback_not_reached" | "parking_over" | "parking_left" | "parking_unanswered";
        /**
         * Format: double
         * @description Degrees north, -90 to 90.
         * @example 12.97297
         */
        Latitude: number;
        /**
         * @description Why a mechanic left a job. They gave it back (vehicle_trouble, cannot_reach, missing_parts, wrong_skill, personal, other), or
         *     it was taken from them: nothing came from their phone (silent), they stood still (stalled), got farther away (moving_away) or
         *     would have been late (late), or an admin did it (reassigned).
         * @enum {string}
         */
        LeaveReason: "vehicle_trouble" | "cannot_reach" | "missing_parts" | "wrong_skill" | "personal" | "other" | "silent" | "stalled" | "moving_away" | "late" | "reassigned";
        /**
         * @description An item of the job's price beyond base and travel. The customer, the mechanic and admins see the same.
         * @example {
         *       "created_at": "2026-03-14T08:39:00.000Z",
         *       "description": "Tubeless valve",
         *       "destination": null,
         *       "id": "019ceb7f-8aa0-7b20-9e32-6d1f5aab2b01",
         *       "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *       "photo_url": "https://files.example.com/jobs/valve.jpg",
         *       "quantity": 1,
         *       "status": "proposed",
         *       "total": 120,
         *       "type": "part",
         *       "unit_price": 120,
         *       "updated_at": "2026-03-14T08:39:00.000Z",
         *       "version": 1
         *     }
         */
        LineItem: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description What people say about it, in their own words. */
            description: string;
            destination: components["schemas"]["ItemDestination"] | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /** @description A photo that shows the reason; null if there is none. */
            photo_url: string | null;
            /**
             * Format: int32
             * @description How many of them.
             */
            quantity: number;
            status: components["schemas"]["LineItemStatus"];
            /** @description The amount that the item adds to the price once it is approved: negative for a discount. */
            total: components["schemas"]["Money"];
            type: components["schemas"]["LineItemType"];
            /** @description The price of one unit, above zero, even for a discount. Tax included. */
            unit_price: components["schemas"]["Money"];
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description 1 when the item is proposed, and 1 more with each change.
             */
            version: number;
        };
        /**
         * @description Where an item stands. A withdrawn one is shown by its last event alone.
         * @enum {string}
         */
        LineItemStatus: "proposed" | "approved" | "rejected" | "withdrawn";
        /**
         * @description What an item is for. A discount counts against the others.
         * @enum {string}
         */
        LineItemType: "labour" | "part" | "travel" | "tow" | "fee" | "discount";
        /**
         * @description The assigned mechanic's position, and its age.
         * @example {
         *       "accuracy_m": 6.5,
         *       "age_ms": 840,
         *       "heading": 245,
         *       "lat": 12.9761,
         *       "lng": 77.6243,
         *       "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *       "recorded_at": "2026-03-14T08:33:10.250Z",
         *       "speed_mps": 7.2,
         *       "stale": false
         *     }
         */
        Location: {
            /**
             * Format: double
             * @description By how many metres the position may be wrong; null if unknown.
             */
            accuracy_m: number | null;
            /**
             * Format: int64
             * @description The position's age when this was sent, in milliseconds.
             */
            age_ms: number;
            /**
             * Format: double
             * @description The direction of travel in degrees from north, clockwise; null if unknown.
             */
            heading: number | null;
            /**
             * Format: double
             * @description Degrees north (WGS 84).
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description The time of the position, corrected for the phone's clock. */
            recorded_at: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description The speed in metres a second; null if unknown.
             */
            speed_mps: number | null;
            /** @description Whether the position is older than `dispatch.fresh_position_s`: do not show it as current. */
            stale: boolean;
        };
        LocationRate: {
            /** Format: int32 */
            interval_s: number;
        };
        /**
         * @description The outcome for the points of a message. `accepted` and `duplicates` are stored, `rejected` are not.
         * @example {
         *       "accepted": 1,
         *       "duplicates": 0,
         *       "last_seq": 118,
         *       "next_interval_s": 3,
         *       "rejected": []
         *     }
         */
        LocationReceipt: {
            /**
             * Format: int32
             * @description The number of new points.
             */
            accepted: number;
            /**
             * Format: int32
             * @description The number of points that had arrived before.
             */
            duplicates: number;
            /**
             * Format: int64
             * @description The highest `seq` stored so far.
             */
            last_seq: number | null;
            /**
             * Format: int32
             * @description How often to send from now on, in seconds.
             */
            next_interval_s: number;
            /** @description The points that were not taken, and why. */
            rejected: components["schemas"]["RejectedPoint"][];
        };
        /**
         * Format: double
         * @description Degrees east, -180 to 180.
         * @example 77.61701
         */
        Longitude: number;
        /**
         * @description Why and when the last mechanic of a job left it.
         * @example {
         *       "at": "2026-03-14T08:36:00.000Z",
         *       "reason": "missing_parts"
         *     }
         */
        MechanicLeft: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            reason: components["schemas"]["LeaveReason"];
        };
        /**
         * @description A mechanic's profile (contract 2.2).
         * @example {
         *       "avg_rating": 4.8,
         *       "created_at": "2026-01-01T07:30:00.000Z",
         *       "id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *       "is_available": true,
         *       "rejection_reason": null,
         *       "service_radius_km": 10,
         *       "status": "verified",
         *       "total_jobs": 57,
         *       "total_ratings": 41,
         *       "updated_at": "2026-03-14T08:00:00.000Z",
         *       "user_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1b02",
         *       "vehicle_types": [
         *         "two_wheeler",
         *         "four_wheeler"
         *       ]
         *     }
         */
        MechanicProfile: {
            /**
             * Format: double
             * @description The average rating; 0 before the first one.
             */
            avg_rating: number;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the mechanic wants jobs. A mechanic is online if this is true and their position is fresh. */
            is_available: boolean;
            /** @description Why it was rejected, in the admin's words; null if it was not. */
            rejection_reason: string | null;
            /**
             * Format: int32
             * @description How far away, in kilometres, the mechanic takes jobs.
             */
            service_radius_km: number;
            status: components["schemas"]["MechanicStatus"];
            /**
             * Format: int32
             * @description How many jobs the mechanic has completed.
             */
            total_jobs: number;
            /**
             * Format: int32
             * @description How many ratings the average is of.
             */
            total_ratings: number;
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The account of the person whose it is.
             */
            user_id: string;
            vehicle_types: components["schemas"]["VehicleType"][];
        };
        /**
         * @description The status of a mechanic's profile (contract 3.2).
         * @enum {string}
         */
        MechanicStatus: "pending_verification" | "verified" | "rejected" | "suspended";
        /**
         * @description A message in its current state.
         * @example {
         *       "body": "I am beside the metro pillar 12, with the hazard lights on",
         *       "client_message_id": "019ceb78-6b20-7b20-9e32-6d1f5aab6a01",
         *       "created_at": "2026-03-14T08:31:04.080Z",
         *       "file_url": null,
         *       "id": "019ceb78-6c10-7b20-9e32-6d1f5aab6b01",
         *       "is_removed": false,
         *       "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *       "lat": null,
         *       "lng": null,
         *       "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *       "read_at": null,
         *       "sender": "customer",
         *       "sender_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01",
         *       "sender_name": null,
         *       "seq": 4,
         *       "type": "text"
         *     }
         */
        Message: {
            /** @description The text; null where there is none, or none for the reader. */
            body: string | null;
            /**
             * Format: uuid
             * @description The id that the sender's app gave the message; null if it gave none.
             */
            client_message_id: string;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The file can be opened like every upload, by the two sides of the job. */
            file_url: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether its sender deleted their account; its content is then gone. */
            is_removed: boolean;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /**
             * Format: double
             * @description Degrees north (WGS 84).
             */
            lat: number | null;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number | null;
            /**
             * Format: uuid
             * @description The mechanic who wrote the message or to whom it was written. A later mechanic of the job does not see it.
             */
            mechanic_profile_id: string;
            read_at: components["schemas"]["Timestamp"] | null;
            sender: components["schemas"]["ChatAuthor"];
            /**
             * Format: uuid
             * @description The sender's account. A guest has no account and writes for the customer, so it is the customer's.
             */
            sender_id: string;
            /** @description A guest's name, as the customer gave it (`beneficiary_name`); null for others. */
            sender_name: string | null;
            /**
             * Format: int64
             * @description The message's number in the job's log: messages are in this order, with other events between them.
             */
            seq: number;
            type: components["schemas"]["MessageType"];
        };
        /**
         * @description The kind of a message.
         * @enum {string}
         */
        MessageType: "text" | "image" | "location";
        /** @description An amount in the major unit (rupees). At most two decimal places; more are refused. */
        Money: number;
        NavigatingJob: {
            /** @description False means that they are back in this app; the default is true. */
            is_elsewhere?: boolean | null;
            job_id: components["schemas"]["Id"];
        };
        /** @description `{}` */
        NoData: Record<string, never>;
        /** @description `{}` */
        Nothing: Record<string, never>;
        /**
         * @description A notification of the caller (contract 2.5).
         * @example {
         *       "body": "A mechanic has your job now.",
         *       "created_at": "2026-03-14T08:30:40.000Z",
         *       "data": {
         *         "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01"
         *       },
         *       "delivery_status": "sent",
         *       "id": "019ceb78-2da0-7b20-9e32-6d1f5aab4a01",
         *       "is_read": false,
         *       "title": "Mechanic assigned",
         *       "type": "job_accepted",
         *       "user_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01"
         *     }
         */
        Notification: {
            /** @description The text; null where there is none, or none for the reader. */
            body: string;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The ids of the notification's objects by name: `job_id`, `offer_id`, `payment_id` … */
            data: {
                [key: string]: string;
            };
            /**
             * @description The push's status: sent once a device's push service accepted it; skipped if there was no device, the topic is off or it
             *     was too late.
             */
            delivery_status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the person has read it. */
            is_read: boolean;
            /** @description The title, like the body in the person's language if the service has texts in it (en, hi, kn), else in English. */
            title: string;
            type: components["schemas"]["Kind"];
            /**
             * Format: uuid
             * @description The account of the person whose it is.
             */
            user_id: string;
        };
        /** @description Something seems wrong with the mechanic's own trip. */
        Nudged: {
            concern: components["schemas"]["JobConcern"];
            /** @description The time since which the concern exists. */
            since: components["schemas"]["Timestamp"];
        };
        /**
         * @description A job that a mechanic may take.
         * @example {
         *       "created_at": "2026-03-14T08:30:01.000Z",
         *       "destination": null,
         *       "distance_m": 1900,
         *       "estimated_earnings": 254.15,
         *       "estimated_price": 299,
         *       "eta_s": 420,
         *       "eta_source": "straight_line",
         *       "expires_at": "2026-03-14T08:30:21.000Z",
         *       "id": "019ceb77-7340-7b20-9e32-6d1f5aab2d01",
         *       "job": {
         *         "description": "The rear tyre is flat",
         *         "photo_count": 1,
         *         "pickup_lat": 12.9728,
         *         "pickup_lng": 77.6169,
         *         "service_category_id": "018f0000-0000-7000-8000-000000000001",
         *         "service_category_name": "Flat tyre",
         *         "service_category_slug": "flat-tyre",
         *         "urgency": "normal",
         *         "vehicle_make": "Honda",
         *         "vehicle_model": "Activa 6G",
         *         "vehicle_type": "two_wheeler"
         *       },
         *       "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *       "mechanic_profile_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
         *       "round": 1,
         *       "status": "pending"
         *     }
         */
        Offer: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            destination: components["schemas"]["OfferedDestination"] | null;
            /**
             * Format: int32
             * @description The straight line to the pickup in metres, rounded up to whole 100 m as the pickup is rounded.
             */
            distance_m: number;
            /** @description The mechanic's share of that price, after tax and commission; approved line items are added. */
            estimated_earnings: components["schemas"]["Money"];
            /** @description The price quoted to the customer for the job, without line items. */
            estimated_price: components["schemas"]["Money"];
            /**
             * Format: int32
             * @description Seconds to the pickup, rounded up to whole minutes (a multiple of 60): exact seconds would undo the rounding of the
             *     pickup.
             */
            eta_s: number;
            eta_source: components["schemas"]["EtaSource"];
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            job: components["schemas"]["OfferedJob"];
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /**
             * Format: int32
             * @description The round of the search, from 1.
             */
            round: number;
            /** @description How far it has come. */
            status: components["schemas"]["OfferStatus"];
        };
        OfferAnswer: {
            offer_id: components["schemas"]["Id"];
            reason?: components["schemas"]["Text1To200"] | null;
        };
        /**
         * @description The place to which a vehicle is to be towed, rounded like the pickup.
         * @example {
         *       "distance_m": 6400,
         *       "duration_s": 900,
         *       "lat": 12.9341,
         *       "lng": 77.6107,
         *       "workshop_name": "Lakshmi Motors"
         *     }
         */
        OfferedDestination: {
            /**
             * Format: int32
             * @description The distance from the pickup in metres, rounded up to whole 100 m.
             */
            distance_m: number;
            /**
             * Format: int32
             * @description The driving time from the pickup, rounded up to whole minutes.
             */
            duration_s: number;
            /**
             * Format: double
             * @description Degrees north (WGS 84), rounded to 100 m.
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /** @description The workshop's name, if the place is a workshop of `GET /workshops`. */
            workshop_name: string | null;
        };
        /** @description The part of a job that an offer shows before it is accepted: no address, name, phone or registration number. */
        OfferedJob: {
            /**
             * @description The customer's description: the first 200 characters, without anything that looks like a phone number, a plate, a postal
             *     code, an email address, a UPI address or a web address. The mechanic who accepts the job reads all of it.
             */
            description: string | null;
            /**
             * Format: int32
             * @description The number of photos that came with the job; `GET /offers/{id}/photos` opens them.
             */
            photo_count: number;
            /**
             * Format: double
             * @description The pickup, rounded to 100 m.
             */
            pickup_lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84) of where the vehicle stands.
             */
            pickup_lng: number;
            /**
             * Format: uuid
             * @description The kind of help.
             */
            service_category_id: string;
            /** @description The name of the kind of help. */
            service_category_name: string;
            /** @description A name of the kind of help that stays the same, for programs. */
            service_category_slug: string;
            urgency: components["schemas"]["Urgency"];
            /** @description The vehicle's make; empty if nobody has given it. */
            vehicle_make: string;
            /** @description The vehicle's model; empty if nobody has given it. */
            vehicle_model: string;
            vehicle_type: components["schemas"]["VehicleType"];
        };
        /** @enum {string} */
        OfferStatus: "pending" | "accepted" | "declined" | "expired" | "revoked";
        /**
         * @description How the work ended. towed: the vehicle was handed over at its destination.
         * @enum {string}
         */
        Outcome: "fixed" | "temporary" | "needs_tow" | "not_fixable" | "towed";
        /**
         * @description How long help may take and why, as customers see it before a mechanic has accepted: estimates, jobs, shared jobs and frames
         *     have the same. It is corrected by the outcomes of earlier jobs with the same chance. If the chance is small, or no mechanic
         *     can come (`is_served` false), say so: cancelling is free until a mechanic has accepted.
         * @example {
         *       "chance_in_time_percent": 95,
         *       "expected_wait_s": 600,
         *       "in_time_s": 1800,
         *       "is_held": false,
         *       "is_served": true,
         *       "reason": "free"
         *     }
         */
        Outlook: {
            /**
             * Format: int32
             * @description The chance in percent that a mechanic arrives within `in_time_s` of the call, in steps of 5.
             * @example 95
             */
            chance_in_time_percent: number;
            /**
             * Format: int32
             * @description The expected seconds from now until a mechanic arrives, in whole minutes; null if no mechanic who is online could come.
             * @example 900
             */
            expected_wait_s: number | null;
            /**
             * Format: int32
             * @description The time that counts as in time: seconds from the call, or for a scheduled job from the beginning of its dispatch.
             * @example 1800
             */
            in_time_s: number;
            /**
             * @description Whether the `reason` is `held`: the search goes on and sends another mechanic as soon as one is free. Waiting may pay off:
             *     the wait above counts this.
             */
            is_held: boolean;
            /**
             * @description Whether any mechanic who is online could serve the job, now or when they are free. If not, only a mechanic who
             *     comes online can help: offer to cancel.
             */
            is_served: boolean;
            /** @description The reason why it takes so long, or why no mechanic can come. */
            reason: components["schemas"]["WaitReason"];
        };
        /** @description The content of a signal. Never printed. */
        Payload: unknown;
        /**
         * @description A payment.
         * @example {
         *       "amount": 299,
         *       "captured_at": "2026-03-14T09:12:04.120Z",
         *       "cash_confirmed_by_customer_at": null,
         *       "cash_confirmed_by_mechanic_at": null,
         *       "channel": "online",
         *       "created_at": "2026-03-14T09:10:00.000Z",
         *       "currency": "INR",
         *       "customer_id": "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01",
         *       "duplicate_of": null,
         *       "expires_at": "2026-03-14T09:40:00.000Z",
         *       "failure": null,
         *       "fee_job_ids": [],
         *       "gateway": "sandbox",
         *       "gateway_order_id": "order_OX1cQm0n6Zr9aB",
         *       "gateway_payment_id": "pay_OX1d3kq0ZrT8aC",
         *       "id": "019ceb77-7340-7b20-9e32-6d1f5aab3a01",
         *       "is_open": false,
         *       "job_id": "019ceb77-7340-7b20-9e32-6d1f5aab2c01",
         *       "method": "upi",
         *       "purpose": "job",
         *       "refunded_amount": 0,
         *       "status": "captured",
         *       "updated_at": "2026-03-14T09:12:04.120Z"
         *     }
         */
        Payment: {
            amount: components["schemas"]["Money"];
            captured_at: components["schemas"]["Timestamp"] | null;
            cash_confirmed_by_customer_at: components["schemas"]["Timestamp"] | null;
            cash_confirmed_by_mechanic_at: components["schemas"]["Timestamp"] | null;
            channel: components["schemas"]["Channel"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The currency of the amounts, as ISO 4217 writes it. */
            currency: string;
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            /**
             * Format: uuid
             * @description The payment whose order this payment paid a second time; this payment is refunded in full.
             */
            duplicate_of: string | null;
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"] | null;
            /** @description The reason why it failed, in the gateway's words. */
            failure: string | null;
            /** @description The cancelled jobs whose fees are paid. */
            fee_job_ids: string[];
            /** @description The gateway's name; null for cash. */
            gateway: string | null;
            /** @description The order's id at the gateway. */
            gateway_order_id: string | null;
            /** @description The payment's id at the gateway. */
            gateway_payment_id: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether it may still be paid. */
            is_open: boolean;
            /**
             * Format: uuid
             * @description The job that is paid; null if the payment is for fees.
             */
            job_id: string | null;
            /**
             * @description The customer's payment method, in the gateway's word. The set of words is open: gateways add some.
             * @example upi
             */
            method: string | null;
            purpose: components["schemas"]["Purpose"];
            /** @description The amount that was refunded, or is being refunded. */
            refunded_amount: components["schemas"]["Money"];
            status: components["schemas"]["PaymentStatus"];
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description The progress of a payment.
         * @enum {string}
         */
        PaymentStatus: "created" | "authorized" | "captured" | "partially_refunded" | "refunded" | "failed";
        /** @description A message of 1 to 100 points, in any order. */
        Points: {
            points: components["schemas"]["TrackPoint"][];
        };
        Progress: {
            /** Format: int32 */
            mechanics_offered: number;
            /** Format: double */
            radius_km: number;
            /** Format: int32 */
            round: number;
        };
        /**
         * @description The purpose of a payment.
         * @enum {string}
         */
        Purpose: "job" | "fees";
        RejectedPoint: {
            /**
             * @description Why the point was not stored. Over a socket also `superseded`: newer points came faster than they could be processed, so send it again.
             * @enum {string}
             */
            reason: "recorded_in_the_future" | "too_old" | "no_fix" | "superseded";
            /**
             * Format: int64
             * @description The number, in order.
             */
            seq: number;
        };
        ServerFrames: {
            "advice.wait": components["schemas"]["WaitingAdvice"];
            "call.ringing": components["schemas"]["Call"];
            "call.signal": components["schemas"]["Signal"];
            "call.updated": components["schemas"]["Call"];
            "chat.message": components["schemas"]["Message"];
            "chat.read": components["schemas"]["ChatRead"];
            "chat.typing": components["schemas"]["ChatTyping"];
            "dispatch.outlook": components["schemas"]["Outlook"];
            "dispatch.progress": components["schemas"]["Progress"];
            "eta.updated": components["schemas"]["Eta"];
            "fleet.changed": components["schemas"]["FleetChanges"];
            "fleet.snapshot": components["schemas"]["FleetView"];
            hello: components["schemas"]["Hello"];
            "job.nudge": components["schemas"]["Nudged"];
            "job.snapshot": components["schemas"]["Job"];
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
        };
        /** @description A signal that one device of a call sends to the other. */
        Signal: {
            /**
             * Format: uuid
             * @description The call whose other side gets the signal.
             */
            call_id: string;
            payload: components["schemas"]["Payload"];
        };
        /**
         * @description The outcome of a signal.
         * @example {
         *       "call_id": "019ceb7a-1c20-7b20-9e32-6d1f5aab4301",
         *       "delivered": true
         *     }
         */
        Signalled: {
            /**
             * Format: uuid
             * @description The call whose other side got the signal.
             */
            call_id: string;
            /** @description Whether a socket of the other side took it. If not, because none was open or had room, send it again. */
            delivered: boolean;
        };
        SignalSent: {
            call_id: components["schemas"]["Id"];
            /** @description Any JSON of at most 12 KiB; the service does not inspect it. */
            payload: unknown;
        };
        /**
         * Format: double
         * @description The speed over ground in metres a second; -1 if unknown.
         */
        SpeedMps: number;
        /** @description The job's last event when the subscription was made. */
        Subscribed: {
            /** Format: uuid */
            job_id: string;
            /** Format: int64 */
            seq: number;
        };
        Subscription: {
            job_id: components["schemas"]["Id"];
            since_seq?: components["schemas"]["Whole0To9223372036854775807"] | null;
        };
        /** @description The calls and mechanics to expect within 3 km. */
        Surroundings: {
            /**
             * Format: double
             * @description The calls per hour that this mechanic can serve, to a tenth.
             * @example 9.2
             */
            calls_per_hour: number;
            /**
             * Format: int32
             * @description The number of other free mechanics who serve some of these calls.
             * @example 1
             */
            free_mechanics: number;
        };
        Text1To200: string;
        Text1To2000: string;
        /**
         * Format: date-time
         * @example 2026-03-14T08:30:12.500Z
         */
        Timestamp: string;
        /**
         * @description A position as the phone recorded it.
         * @example {
         *       "accuracy_m": 6.5,
         *       "heading": 245,
         *       "lat": 12.9761,
         *       "lng": 77.6243,
         *       "recorded_at": "2026-03-14T08:33:10.250Z",
         *       "seq": 118,
         *       "speed_mps": 7.2
         *     }
         */
        TrackPoint: {
            accuracy_m?: components["schemas"]["AccuracyM"] | null;
            heading?: components["schemas"]["Heading"] | null;
            /** @description Whether the phone says that the position is simulated. */
            is_mock?: boolean | null;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
            /** @description The time by the phone's clock, which may be wrong: the service corrects its skew. */
            recorded_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The phone's own count, 64-bit; together with `recorded_at` it distinguishes a resent point from a new one.
             */
            seq: number;
            speed_mps?: components["schemas"]["SpeedMps"] | null;
        };
        /**
         * @description Accident and highway jobs are offered to several mechanics from the start.
         * @enum {string}
         */
        Urgency: "normal" | "highway" | "accident";
        /**
         * @description A type of vehicle.
         * @enum {string}
         */
        VehicleType: "two_wheeler" | "three_wheeler" | "four_wheeler" | "commercial";
        /** @description An area in which a mechanic without a job should rather wait. It is only advice: a mechanic who stays loses nothing. */
        WaitingAdvice: {
            /**
             * Format: int32
             * @description The driving time to its middle in seconds, in whole minutes.
             * @example 540
             */
            drive_s: number;
            here: components["schemas"]["Surroundings"];
            /**
             * Format: double
             * @description The middle of the area; `radius_m` is how far it reaches.
             * @example 12.97
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             * @example 77.61
             */
            lng: number;
            /**
             * Format: int32
             * @description The radius of the area, in metres.
             * @example 1500
             */
            radius_m: number;
            /** @description The advantage of the area. */
            reason: components["schemas"]["AdviceReason"];
            /** @description The situation around the area, and around the mechanic. */
            there: components["schemas"]["Surroundings"];
            /** @description Until when the advice is valid. */
            until: components["schemas"]["Timestamp"];
            /**
             * @description The reason in a sentence or two.
             * @example Around there: 9 calls an hour, 1 other mechanic waiting. Around you: 3 calls an hour, 4 other mechanics.
             */
            why: string;
        };
        /**
         * @description Why a customer waits as long as they do, the first that applies. With a wait: a mechanic is asked, or is free and will be (free); those who are free are kept for jobs that only they can serve, and the job waits for another (held); all who could come have other jobs (busy). Without: all who could come were asked and did not take the job (declined; after a search in vain, whenever a mechanic was asked); mechanics who do this are online, but none comes as far (out_of_reach); mechanics are online near by, but none does this for such a vehicle (no_skill); no mechanic is online near by (nobody_online).
         * @enum {string}
         */
        WaitReason: "free" | "held" | "busy" | "declined" | "out_of_reach" | "no_skill" | "nobody_online";
        Whole0To9223372036854775807: number;
        Whole1To9223372036854775807: number;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

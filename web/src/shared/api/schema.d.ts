// Written by scripts/types.mjs from openapi.json. Do not edit.

export interface paths {
    "/admin/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists admins' actions, newest first
         * @description Every given condition must hold.
         *
         *     For admins who are at every desk.
         */
        get: operations["list_audit_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists customers who asked to be called: open requests oldest first, done ones newest first
         * @description For admins at the dispatch desk.
         */
        get: operations["list_callbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/callbacks/{job_id}/done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes a request to be called, once
         * @description A customer who was not reached, and may ask again, is notified.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["close_callback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/chargebacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists chargebacks, newest first
         * @description An open chargeback holds the earnings from its payment and is contested at the gateway; the gateway reports how it ended.
         *
         *     For admins at the money desk.
         */
        get: operations["list_chargebacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the servers of this database, the one that leads, and the latest changes of the leader
         * @description For admins at the settings desk.
         */
        get: operations["get_cluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/dispatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns how jobs are dispatched now, unless a service category overrides it
         * @description For admins at one of these desks: dispatch or settings.
         */
        get: operations["get_dispatch_configuration"];
        /**
         * Changes how jobs are dispatched
         * @description The change applies to every search that begins afterwards, without a restart and after one; weights apply from the next match on. A search under way ends as it began.
         *
         *     For admins at the settings desk.
         */
        put: operations["change_dispatch_configuration"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/config/dispatch/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists every version that was made at run time, newest first
         * @description For admins at one of these desks: dispatch or settings.
         */
        get: operations["list_dispatch_configurations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dispatch/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the present price of an hour of mechanics' time */
        get: operations["get_dispatch_prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dispatch/roster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows when one more mechanic would be worth most, and of which class: whom to hire, and for when */
        get: operations["get_roster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dispatch/roster/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draws the roster as a picture (SVG): a row for each class, at most 24 of them, and a column for each hour of the local day, darker where one more mechanic would have saved more
         * @description For admins at one of these desks: dispatch or settings.
         */
        get: operations["get_roster_picture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dispatch/switchback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Measures the effect of prices: compares the calls in hours with prices and in hours without */
        get: operations["get_switchback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everybody's disputes, newest first
         * @description For admins at the money desk.
         */
        get: operations["list_disputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/failed-pushes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the pushes that failed permanently, the newest first, without their contents
         * @description For admins at the settings desk.
         */
        get: operations["list_failed_pushes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The mechanics who are online in a box, and the open jobs there */
        get: operations["get_fleet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/grievances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists people's questions and complaints about their data, without the texts: open ones in the order in which they are due, others newest first
         * @description For admins at the people desk.
         */
        get: operations["list_grievances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/grievances/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a grievance with its text
         * @description For admins at the people desk.
         */
        get: operations["get_grievance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/grievances/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers a grievance, once
         * @description The person is notified, and can read the answer with their grievance.
         *
         *     For admins at the people desk.
         */
        post: operations["answer_grievance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/heatmap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns where customers called from in a period, and how soon help came there, in cells of H3
         * @description Jobs count by when their search began; a day and an hour are local ones (`operator.time_zone`).
         */
        get: operations["get_heat_map"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/job-stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns whether new jobs are taken, and if not, why and since when */
        get: operations["get_job_stop"];
        /** Stops new jobs from now on, on every server and over restarts: in a storm, an outage, on a holiday */
        put: operations["set_job_stop"];
        post?: never;
        /**
         * Allows new jobs again
         * @description For admins at one of these desks: dispatch or settings.
         */
        delete: operations["end_job_stop"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all jobs, newest first
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["list_all_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns any job
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["get_any_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assigns a job that is being dispatched to a mechanic, bypassing the offers
         * @description If dispatch would leave the mechanic out, the request is refused with the reason, unless `override_reason` is given. A mechanic who is not verified, is suspended, or is the customer is always refused.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["assign_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels any job, even one that is being worked on, at the fee that the customer owes
         * @description For admins at the dispatch desk.
         */
        post: operations["cancel_any_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/cancellation-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the customer's fee if an admin cancelled the job now
         * @description For admins at the dispatch desk.
         */
        get: operations["quote_any_cancellation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the mechanics who could take an open job: the 50 who are online nearest to the pickup, nearest first, at most 50 km away, each with the reasons against them
         * @description For admins at the dispatch desk.
         */
        get: operations["list_job_candidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/decide-no-show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decides an open no-show: the customer is charged the call-out, or nothing is due and the customer's payment is refunded
         * @description For admins at the money desk.
         */
        post: operations["decide_no_show"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/decide-tow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decides the review of a tow: the mechanic's share clears like any other, or the customer gets the price of the tow back
         * @description For admins at the money desk.
         */
        post: operations["decide_tow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/dispatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explains why each mechanic was, or was not, offered the job */
        get: operations["get_job_dispatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes the job from its mechanic and looks for another
         * @description For admins at the dispatch desk.
         */
        post: operations["reassign_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolves the dispute about a job: the customer pays nothing, everything, or `price_reduction` less
         * @description Payments beyond that are refunded, and the mechanic's earnings are released.
         *
         *     For admins at the money desk.
         */
        post: operations["resolve_dispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Searches again for a job that found no mechanic
         * @description Its customer sees that the search goes on, and it can be assigned.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["retry_any_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a link to somebody who has no app, by SMS: with it they see where help is and the start code, and can write to and call the mechanic
         * @deprecated
         * @description Same as `POST /admin/jobs/{id}/shares`, which takes its place.
         */
        post: operations["send_job_share_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a link to somebody who has no app, by SMS: with it they see where help is and the start code, and can write to and call the mechanic
         * @description The link counts for the limits of `POST /jobs/{id}/shares`. It is not shown in the answer, since it is for its holder alone.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["send_job_share"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/jobs/{id}/waive-fee": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Waives a cancellation fee
         * @description A paid fee is refunded instead.
         *
         *     For admins at the money desk.
         */
        post: operations["waive_fee"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the present state of the service: open jobs, mechanics, queues, and everything that waits for somebody */
        get: operations["get_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanic-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes that mechanics ask for, newest first
         * @description For admins at the people desk.
         */
        get: operations["list_mechanic_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanic-changes/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approves a change: the mechanic serves what they asked for
         * @description For admins at the people desk.
         */
        post: operations["approve_mechanic_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanic-changes/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rejects a change: the mechanic serves the same as before, and can read the reason
         * @description For admins at the people desk.
         */
        post: operations["reject_mechanic_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists mechanics, newest first
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["list_mechanics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanics/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a mechanic, with their documents
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["get_mechanic_for_admin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanics/{id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a suspension
         * @description The mechanic is unavailable until they switch availability on again.
         *
         *     For admins at the people desk.
         */
        post: operations["reinstate_mechanic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanics/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rejects a submitted profile
         * @description The mechanic can read the reason and may register again.
         *
         *     For admins at the people desk.
         */
        post: operations["reject_mechanic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanics/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a verified mechanic off duty; a job under way goes on
         * @description For admins at the people desk.
         */
        post: operations["suspend_mechanic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mechanics/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts a submitted profile under the name that its documents prove
         * @description With a `verified_name`, a verified profile is verified again: if the name is a new one, UPI accounts whose name at the bank does not match it go back to review.
         *
         *     For admins at the people desk.
         */
        post: operations["verify_mechanic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/no-shows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists no-shows that mechanics reported, newest first
         * @description `open` selects those that an admin has to decide: no position proves the arrival, or the customer contests the fee.
         *
         *     For admins at the money desk.
         */
        get: operations["list_no_shows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/parked-payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists money at the gateway that fits no payment, newest first: its order is unknown, or its amount or currency is wrong
         * @description It is never booked: refund it, or dismiss it if it was dealt with elsewhere.
         *
         *     For admins at the money desk.
         */
        get: operations["list_parked_payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/parked-payments/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes a parked payment that should not be refunded here, for example because it was dealt with at the gateway
         * @description For admins at the money desk.
         */
        post: operations["dismiss_parked_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/parked-payments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refunds a parked payment at the gateway
         * @description It is `refunding` until the gateway has made the refund; if the gateway fails, it is `open` again and says why. Repeating the request while the refund is under way makes no second refund.
         *
         *     For admins at the money desk.
         */
        post: operations["refund_parked_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everybody's payments, newest first
         * @description For admins at the money desk.
         */
        get: operations["list_all_payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/place-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks somebody on the phone where they are: sends them a link by SMS, and shows it to be read out
         * @description They need no account. The link accepts their place for 30 minutes. The number is not stored, and the request is deleted after a day.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["ask_for_place"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/place-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns whether they have shared their place, and where it is
         * @description A page asks every few seconds while it waits.
         *
         *     For admins at the dispatch desk.
         */
        get: operations["get_asked_place"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/place-requests/{id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes the place, for example for a job: its link ends, and the place can no longer be corrected
         * @description A repeat changes nothing.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["use_asked_place"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/privacy-notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the versions of the privacy notice, the newest first
         * @description For admins at the settings desk.
         */
        get: operations["list_privacy_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ratings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everybody's ratings, newest first, including hidden ones
         * @description For admins at the people desk.
         */
        get: operations["list_ratings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ratings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Hides a rating: only its writer and admins still see it, and it no longer counts in its mechanic's average
         * @description A repeat changes nothing.
         *
         *     For admins at the people desk.
         */
        delete: operations["hide_rating"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everybody's refunds, newest first
         * @description Pending cash refunds wait for `POST /admin/refunds/{id}/mark-paid`. A failed refund returned nothing: make it again, or return the money some other way.
         *
         *     For admins at the money desk.
         */
        get: operations["list_all_refunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/refunds/{id}/mark-paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that a refund of a cash payment, which no gateway can make, was paid by hand
         * @description For admins at the money desk.
         */
        post: operations["mark_refund_paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all settlements, the newest period first
         * @description For admins at the money desk.
         */
        get: operations["list_settlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settlements/{id}/mark-paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Marks a settlement as paid, once
         * @description Moves no money: the ledger does that with each earning and withdrawal.
         *
         *     For admins at the money desk.
         */
        post: operations["mark_settlement_paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settlements/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settles a period: makes one settlement for each mechanic that earned something in it
         * @description A repetition only makes missing ones and gives the same answer: the period's first hundred settlements.
         *
         *     For admins at the money desk.
         */
        post: operations["run_settlements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sla": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns how fast help came for jobs whose search began in a period, in all and by category
         * @description A job that was cancelled before a mechanic took it, or that found no mechanic, counts only in `jobs`.
         */
        get: operations["get_sla"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the figures of a period, in all, by day and by category
         * @description A day is a local one (`operator.time_zone`): when clocks change, it has 23 or 25 hours.
         */
        get: operations["get_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports whether all is well, line by line: what is slow, full, old or failing, and what to do next
         * @description The report is from the server that answers, and may be some seconds old.
         *
         *     For admins at the settings desk.
         */
        get: operations["get_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tow-reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists tows that no position shows at their destination, newest first, with the agreed and the driven distance
         * @description While a review is open, the mechanic's share does not clear until `held_until`.
         *
         *     For admins at the money desk.
         */
        get: operations["list_tow_reviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all accounts, the newest first (contract 4.7)
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["list_users"];
        put?: never;
        /**
         * Returns the account with this phone number, which is made if there is none
         * @description The person need not have signed in: when they do, with this number, they get this account.
         *
         *     For admins at one of these desks: dispatch or people.
         */
        post: operations["find_or_create_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an account, with the fields that only admins see
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["get_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the consent of a customer or a mechanic, for an admin who answers their question about it
         * @description For admins at the people desk.
         */
        get: operations["get_consent_of_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/job-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets how many jobs a customer may have open at once, for example for a customer with a fleet; null restores everybody's limit
         * @description For admins at the people desk.
         */
        put: operations["set_job_limit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a job for a customer who calls
         * @description It belongs to the customer, under the rules of `POST /jobs`, and they are notified of it; its timeline shows that an admin created it. Its photos are the admin's own uploads.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["create_job_of_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/jobs/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimates the price of help for a customer who calls, and how soon it could come
         * @description The estimate is not binding.
         *
         *     For admins at the dispatch desk.
         */
        post: operations["estimate_job_of_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets a suspended person back in
         * @description For admins at the people desk.
         */
        post: operations["reinstate_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Locks a person out: from now on all their requests get 403 ACCOUNT_SUSPENDED
         * @description A mechanic's offers are revoked, and their job goes to another mechanic, at no fee. Once work has begun, no one else can take the job over: the customer and all admins are notified, and an admin cancels the job or reinstates the mechanic.
         *
         *     For admins at the people desk.
         */
        post: operations["suspend_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/unpaid-fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a customer's unpaid cancellation fees, the oldest first, 100 at most: they keep the customer from creating jobs, and can be waived
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["list_unpaid_fees_of_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/vehicles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the vehicles of a customer: the default first, then the newest
         * @description For admins at one of these desks: dispatch, money or people.
         */
        get: operations["list_vehicles_of_user"];
        put?: never;
        /**
         * Adds a vehicle for a customer who calls
         * @description For admins at the dispatch desk.
         */
        post: operations["create_vehicle_of_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/wallet/upi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists UPI accounts, the newest first
         * @description For admins at the money desk.
         */
        get: operations["list_upi_accounts_for_admin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the events that the gateway sent, newest first
         * @description For admins at the money desk.
         */
        get: operations["list_webhook_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhook-events/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes a dead event that needs no processing: it counts as ignored, and can still be replayed
         * @description For admins at the money desk.
         */
        post: operations["dismiss_webhook_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhook-events/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Processes an event again, from the beginning
         * @description This is harmless if the event was processed before.
         *
         *     For admins at the money desk.
         */
        post: operations["replay_webhook_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everybody's withdrawals, the newest first
         * @description The amount of a withdrawal that failed or came back is available to its mechanic, who can request it again; the service follows up on those under way. Without a payout provider, admins pay withdrawals by hand, and record it.
         *
         *     For admins at the money desk.
         */
        get: operations["list_all_withdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/withdrawals/{id}/mark-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that a withdrawal could not be paid by hand, once
         * @description Its mechanic is notified, and the amount is available again.
         *
         *     For admins at the money desk.
         */
        post: operations["mark_withdrawal_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/withdrawals/{id}/mark-paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that a withdrawal was paid by hand, once
         * @description Its mechanic is notified.
         *
         *     For admins at the money desk.
         */
        post: operations["mark_withdrawal_paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/workshops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all workshops, newest first
         * @description For admins at the settings desk.
         */
        get: operations["list_all_workshops"];
        put?: never;
        /**
         * Adds a workshop
         * @description For admins at the settings desk.
         */
        post: operations["create_workshop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/workshops/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a workshop
         * @description Jobs that go there keep its place and its name.
         *
         *     For admins at the settings desk.
         */
        delete: operations["delete_workshop"];
        options?: never;
        head?: never;
        /**
         * Changes the given fields
         * @description Jobs that go there keep the place as it was.
         *
         *     For admins at the settings desk.
         */
        patch: operations["update_workshop"];
        trace?: never;
    };
    "/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the document of the socket and the streams of jobs: their frames, both ways */
        get: operations["asyncapi_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accept-invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts an invitation: makes the admin's account, or gives the role back to the account that this identity had as an admin, ends the sessions of that account, and signs in
         * @description A customer's account is never used, whatever its email, since that was not verified.
         */
        post: operations["accept_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchanges an identity provider's ID token for tokens (contract 4.1) */
        post: operations["admin_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin-sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins to sign in to the console at an identity provider of the operator's own
         * @description The browser gets a cookie for ten minutes, which no script can read, and opens `authorizationUrl`; when it is back, `POST /auth/admin-sign-in/complete` continues. 404 if admins sign in with a password.
         */
        post: operations["begin_admin_sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin-sign-in/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Completes a sign-in to the console, or accepts an invitation, with the parameters with which the identity provider sent the browser back
         * @description This works once, and only in the browser that began the sign-in.
         */
        post: operations["complete_admin_sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the caller's session
         * @description With `refreshToken` it ends that token's session, too, with `allDevices` all sessions. With `X-Session: cookie` it also ends the cookie's session, if that is the caller's, and the browser drops the cookie.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchanges a refresh token for a new pair */
        post: operations["refresh_tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/send-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a one-time password; while a code is valid, it is sent again
         * @description The answer is the same whether or not the number has an account. No code goes to a landline, to the number of a service (premium rate, shared cost, toll-free and the like), or to a country outside `sms.regions`: 422 for `phone`.
         */
        post: operations["send_otp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's live sessions, the last used first */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends one of the caller's sessions */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchanges a one-time password for tokens; makes the account at first use */
        post: operations["verify_otp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a call to the participants of its job and to admins; a mechanic sees only their own */
        get: operations["get_call"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers the call with this device; the others stop ringing
         * @description Repeating it on the same device returns the same call.
         */
        post: operations["accept_call"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hangs up, whether the call is ringing or was answered
         * @description A call that is over is returned unchanged.
         */
        post: operations["end_call"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Declines the call; all devices stop ringing
         * @description Repeating it returns the same call.
         */
        post: operations["reject_call"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the settings that an app needs before anyone signs in: where the service is used, which map to show, how customers pay
         * @description The answer may be cached for a minute.
         */
        get: operations["app_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns whether the demo city plays on this server
         * @description Development only.
         */
        get: operations["get_demo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/demo/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets the demo city play on this server: mechanics go online, and customers have breakdowns, until it is stopped or the server ends
         * @description If it plays already, nothing changes, unless the caller is more than 30 km away: then it moves to where they are. It plays by the server's settings, so its mechanics' shares clear as slowly as everyone's. Development only.
         */
        post: operations["play_demo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/demo/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in as one of three people without a code or a password; creates them at first use
         * @description Development only.
         */
        post: operations["demo_sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/demo/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the demo city: everyone cancels their open jobs and goes offline
         * @description If it does not play, nothing changes. Development only.
         */
        post: operations["stop_demo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reports that the process is alive */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reports whether the server should get requests */
        get: operations["health_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the keys with which the embedded provider signs */
        get: operations["identity_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the provider's addresses, for clients that discover it */
        get: operations["identity_configuration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes an account for the holder of a pending invitation, with its email and a password of their own
         * @description The invitation stays pending: POST /auth/accept-invite, with an ID token for this account, accepts it. Until then the account can be used for nothing else, and it is removed when the invitation is revoked, replaced or expired. 404 if an external provider is used, which makes accounts in its own way.
         */
        post: operations["make_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins to set up a second factor: a secret for an authenticator app
         * @description Sign-in asks for it once it is confirmed. Another request before that makes another secret.
         */
        post: operations["begin_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirms a second factor with a code of the app
         * @description From now on signing in needs a code.
         */
        post: operations["confirm_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges an email and a password for an ID token, with a code if the account has a second factor
         * @description An unknown email and a wrong password get the same answer after the same time. Five tries for one email are free; each further try waits twice as long, a quarter of an hour at most. A device that signed in with the email before has tries of its own. 404 if an external provider is used.
         */
        post: operations["issue_id_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's own jobs, newest first: those they created and those they served, unless `role` picks one */
        get: operations["list_jobs"];
        put?: never;
        /**
         * Requests help
         * @description Responds when the job is stored, before a mechanic is found; dispatch begins at once, or some time before `scheduled_for`.
         */
        post: operations["create_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one job, for its participants and admins */
        get: operations["get_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Corrects the caller's job while no mechanic is on the way, or moves it to another time until its search begins
         * @description If the pickup moves while the service is looking for a mechanic, the job is offered again; a mechanic who has accepted it is notified. If nothing would change, nothing happens.
         */
        patch: operations["correct_job"];
        trace?: never;
    };
    "/jobs/{id}/arrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Marks the mechanic as arrived, according to their own recent, plausible position near the pickup or to their word */
        post: operations["arrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/call/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a token with which the caller's device enters the job's room, and lists the servers to reach it
         * @deprecated
         * @description Same as `POST /jobs/{id}/calls/token`, which takes its place.
         */
        post: operations["issue_call_token_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks for a call, as the job's customer, while the search for a mechanic is under way or has found nobody
         * @description Repeating it changes nothing; once the request is done, it asks again. When a mechanic accepts the job, the request closes by itself.
         */
        post: operations["request_callback"];
        /**
         * Withdraws the request to be called while it is open
         * @description Repeating it changes nothing.
         */
        delete: operations["withdraw_callback"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the job's calls, newest first; a mechanic sees only their own */
        get: operations["list_job_calls"];
        put?: never;
        /** Calls the other side of the job, on all their devices, for `calls.ring_s` seconds */
        post: operations["call_other_side"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/calls/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a token with which the caller's device enters the job's room, and lists the servers to reach it
         * @description The room is made at first use and kept with the job. If another mechanic gets the job, they and the customer talk in a new room.
         */
        post: operations["issue_call_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels the caller's job
         * @description If there is a fee, the caller has to accept it: with `quoted_fee`, the fee that the quote showed, or with `accept_fee`.
         */
        post: operations["cancel_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/cancellation-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the fee for cancelling the job now */
        get: operations["quote_cancellation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Completes the work with its outcome
         * @description Once the vehicle is loaded, the job can only end as `towed`, with a recent, plausible position near its destination or with an `override_reason`; an admin looks at such a tow before the mechanic's share clears.
         */
        post: operations["complete_work"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/contest-no-show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Contests a no-show with a statement, as the customer who is said not to have shown up: once, and until `contestable_until` or, if no position proves the arrival, until it is decided
         * @description An admin decides; nothing is due until then.
         */
        post: operations["contest_no_show"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the dispute about a job, to its customer, its mechanic and admins */
        get: operations["get_job_dispute"];
        put?: never;
        /**
         * Contests the work or its price, as the job's customer or its mechanic, within 48 hours of its completion
         * @description The earnings from the job are held until an admin has resolved the dispute.
         */
        post: operations["dispute_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/dispute/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the statements of both sides in the dispute about a job, the oldest first, for its customer, its mechanic and admins */
        get: operations["list_dispute_statements"];
        put?: never;
        /**
         * Adds the caller's statement to the dispute about a job, as its customer or its mechanic, until the dispute is resolved
         * @description The other side is notified.
         */
        post: operations["add_dispute_statement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/en-route": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Marks the mechanic as on the way */
        post: operations["start_driving"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the events of the job after `since_seq` (default 0), in order: the same events as over the socket
         * @description A mechanic's events begin with their own assignment.
         */
        get: operations["list_job_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/line-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the job's line items beyond base and travel, in the order in which they were proposed
         * @description When a mechanic loses the job, their items are deleted.
         */
        get: operations["list_line_items"];
        put?: never;
        /** Proposes an item, as the mechanic at the vehicle: from the arrival until the work is done */
        post: operations["add_line_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/line-items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraws an undecided item, as its mechanic */
        delete: operations["withdraw_line_item"];
        options?: never;
        head?: never;
        /** Changes an undecided item, as its mechanic */
        patch: operations["amend_line_item"];
        trace?: never;
    };
    "/jobs/{id}/line-items/{item_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approves an item as it was shown: from now on it counts towards the price */
        post: operations["approve_line_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/line-items/{item_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rejects an item: it never counts towards the price */
        post: operations["reject_line_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/load": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the vehicle is on the truck, as photos show: from now on the mechanic is followed to its destination
         * @description This is possible once the work has begun and the customer has decided on every line item. Repeating it with the same photos gives the same job.
         */
        post: operations["load_vehicle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns where the job's mechanic is, how old that position is, and how far they have to go */
        get: operations["get_job_location"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the chat of a job's two sides, in the order of the job's log: the newest messages, the newest before `before_seq`, or those after `since_seq`
         * @description A mechanic reads from their own assignment on; admins read everything.
         */
        get: operations["list_messages"];
        put?: never;
        /**
         * Writes to the other side of the job: a text, an image or a place
         * @description This is possible from acceptance until a day after the job's end (`chat.writable_after_end_s`). Sending a message again with the same `client_message_id` returns the same message with 200. At most `chat.messages_per_minute`, over HTTP and sockets together.
         */
        post: operations["send_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/messages/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores how far the caller has read, by the `seq` of a message or of any other event of the job
         * @description The position only grows: for an earlier `seq` the response has the stored one. The other side's sockets are notified.
         */
        post: operations["read_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/navigating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Records that the mechanic follows another app, such as a map, or is back in this one */
        post: operations["navigate_elsewhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/no-show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the no-show of a cancelled job, to its customer, its mechanic and admins */
        get: operations["get_no_show"];
        put?: never;
        /**
         * Reports that the customer did not show up within ten minutes of the arrival
         * @description The customer is charged the call-out, which they can contest for a time. If no position proved the arrival, nothing is due until an admin has decided: GET /jobs/{id}/no-show.
         */
        post: operations["report_no_show"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the job's photos, in the order in which they were added */
        get: operations["list_job_photos"];
        put?: never;
        /** Adds a photo, by its URL, as the customer or the mechanic of the job, or as an admin at the dispatch desk */
        post: operations["add_job_photo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/photos/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a photo that the caller added, and its file if nothing else shows it
         * @description A photo that may be evidence can't be deleted: as long as the finished work can be contested, and for good once it was contested.
         */
        delete: operations["delete_job_photo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/rating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rates the other side of a job, once, within seven days (`ratings.window_s`) of its completion or of the end of its dispute
         * @description Neither side can read the other's rating before both have rated, or the time for rating is over. Only then does a rating of a mechanic count in their average and figures.
         */
        post: operations["rate_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/ratings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how the two sides of a job rated each other, as far as the caller may read it */
        get: operations["get_job_ratings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the job back before work has begun
         * @description The service looks for another mechanic at the same price.
         */
        post: operations["release_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Searches again for a job that found no mechanic */
        post: operations["retry_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/route": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the trail of the mechanic who is on the job, or was when it ended, since their acceptance
         * @description Trails are kept for `tracking.trail_retention_days`; mechanics without a job leave none.
         */
        get: operations["get_job_route"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a link with which anyone can follow the job without an account until it is over
         * @deprecated
         * @description Same as `POST /jobs/{id}/shares`, which takes its place.
         */
        post: operations["share_job_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/share/{share_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ends a link, its open streams, and a call that its holder made or answered with it
         * @deprecated
         * @description Same as `DELETE /jobs/{id}/shares/{share_id}`, which takes its place.
         */
        delete: operations["revoke_job_share_by_old_path"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the links to a job, newest first */
        get: operations["list_job_shares"];
        put?: never;
        /** Makes a link with which anyone can follow the job without an account until it is over */
        post: operations["share_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/shares/{share_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ends a link, its open streams, and a call that its holder made or answered with it
         * @description A repeat changes nothing.
         */
        delete: operations["revoke_job_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts the work, with the four digits that the customer gives the mechanic */
        post: operations["start_work"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams one job as server-sent events: the frames of the socket, with their `seq` as `id`
         * @description Without `since_seq` the stream starts with a snapshot. With it, every event after that one follows; the `Last-Event-ID` that a browser sends on its own takes precedence. The stream counts as one of the user's sockets.
         */
        get: operations["stream_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/take-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the job to a mechanic who lost it because nothing came from their phone, ahead of everybody to whom it is offered
         * @description This is possible while nobody has the job, also after `no_mechanic_found`, with a recent position. The customer's outlook is computed anew. Repeating it gives the same job.
         */
        post: operations["take_back_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the events of the job so far
         * @description A mechanic's timeline begins with their own assignment.
         */
        get: operations["get_job_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/tow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Proposes to tow the vehicle, as the mechanic at it: a line item of type tow with a destination, whose price the service computes from the price of towing beyond this job's base price and from the kilometres
         * @description If the customer approves it, the job has that destination. Its price can't be amended; it can be withdrawn and proposed anew.
         */
        post: operations["propose_tow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/way-ahead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the mechanic's route ahead by road: from acceptance to arrival, and to the destination once the vehicle is loaded
         * @description Ask for it when a map is opened, and again once a position is more than 75 m off its line: the service keeps the line meanwhile, and asks its router for another one at most every `eta.router_way_ahead_every_s`.
         */
        get: operations["get_way_ahead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimates the price of help here and now, and how soon it could come
         * @description The estimate is not binding.
         */
        post: operations["estimate_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a verified mechanic's public card */
        get: operations["get_mechanic_card"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/{id}/ratings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists customers' ratings of a mechanic, newest first
         * @description A rating appears once the mechanic may read it, and counts in the average at the same time or within a minute.
         */
        get: operations["list_mechanic_ratings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's own profile, with their documents and the change that waits for an admin */
        get: operations["get_my_mechanic_profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes what the caller serves, and within which radius */
        patch: operations["update_my_mechanic_profile"];
        trace?: never;
    };
    "/mechanics/me/advice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Advises the caller where to wait for the next job, if there is a much better place within a short drive
         * @description Mechanics who are available and have been without a job for a few minutes get such advice now and then, based on the calls of the last days and hours and on where others wait; sockets get the same in `advice.wait` frames. It is never an order.
         */
        get: operations["get_my_waiting_advice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets whether the caller wants to be offered jobs
         * @description Switching it off gives an open offer back, which does not count as a refusal, and never touches the job under way. It switches itself off after 15 minutes without a position. A mechanic is online if they are available and were seen within the last minute.
         */
        put: operations["set_my_availability"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's documents, in the order in which they were submitted */
        get: operations["list_my_mechanic_documents"];
        put?: never;
        /** Submits another document */
        post: operations["add_my_mechanic_document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a document of the caller, with its file
         * @description This is not possible while the document proves something: while the registration or a change of what they serve is under review, and as long as their verification depends on it. A newer document of the same type replaces it once an admin has verified the profile with that one.
         */
        delete: operations["delete_my_mechanic_document"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes 1 to 100 points from the caller's phone, for example after it was offline
         * @description They are handled like points over a socket. Points sent before the mechanic was available are stored.
         */
        post: operations["send_my_location"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/lost-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the newest ten jobs that the caller lost because nothing came from their phone and may take back, since nobody else has them */
        get: operations["list_my_lost_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's offers that can still be answered */
        get: operations["list_my_offers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns where the caller waits, with the phone in a pocket */
        get: operations["get_my_parking"];
        /** Registers that the caller waits for jobs at a place and is reached by push, with the phone in a pocket: they are available there, although their phone sends nothing */
        put: operations["park_me"];
        post?: never;
        /**
         * Ends the caller's waiting
         * @description They stay available; without a fresh position they get no offers.
         */
        delete: operations["end_my_parking"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's figures: offers, jobs, ratings, earnings, and trips as far as they are known */
        get: operations["get_my_mechanic_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/trackers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the apps that send the caller's positions while the screen is off, and the origin of the position that counts now */
        get: operations["list_my_trackers"];
        put?: never;
        /**
         * Connects an app that sends the caller's positions while the screen is off: OwnTracks, or Traccar Client
         * @description Its token is shown only in this answer, and can do nothing but send positions.
         */
        post: operations["connect_my_tracker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/me/trackers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a tracker: its token is refused from now on */
        delete: operations["remove_my_tracker"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/nearby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how many mechanics could help at a place now, and how soon; for the map before a job is created */
        get: operations["find_nearby_mechanics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mechanics/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers the caller as a mechanic and submits the profile for verification
         * @description After a rejection the caller may register again; the new documents then replace the earlier ones.
         */
        post: operations["register_mechanic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the metrics in the Prometheus text format
         * @description In production they are on a separate listener instead.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's notifications, the newest first (contract 4.12) */
        get: operations["list_notifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one of the caller's notifications */
        get: operations["get_notification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Marks a notification as read
         * @description A repeat changes nothing.
         */
        post: operations["read_notification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns which topics are pushed to the caller's devices */
        get: operations["get_notification_preferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Switches topics on and off; topics that are not given stay unchanged */
        patch: operations["update_notification_preferences"];
        trace?: never;
    };
    "/notifications/push-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the devices that the caller's notifications are pushed to, the newest first; at most 10
         * @description `DELETE /notifications/push-tokens/{id}` ends pushes to one of them.
         */
        get: operations["list_push_tokens"];
        put?: never;
        /**
         * Registers the device that the caller is signed in on: an app by its registration token, or a browser by its subscription
         * @description It gets pushes until that session ends in any way. The token is the caller's from then on, even if it was someone else's. It replaces the device's older one; beyond 10 devices, the one registered longest ago is removed.
         */
        post: operations["register_push_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/push-tokens/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forgets a device of the caller, for example when they sign out on it */
        delete: operations["forget_push_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Marks all notifications as read, 10,000 at most; the answer has how many are unread afterwards */
        post: operations["read_all_notifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts the caller's unread notifications */
        get: operations["count_unread_notifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one of the caller's offers, however it ended */
        get: operations["get_offer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts the job
         * @description If the winner repeats this, they get the same job again, as it is now.
         */
        post: operations["accept_offer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Declines the job; it is not offered to the caller again */
        post: operations["decline_offer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/{id}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns links to photos of the damage that came with the offered job
         * @description There are at most three, for the mechanic who is offered the job, and only while the offer can be answered: an offer that is over has none. No photo is sent until its link is opened.
         */
        get: operations["list_offer_photos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/{id}/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the offer is shown to the caller, so its push is no longer repeated
         * @description A repetition, or a call for an offer that is over, changes nothing.
         */
        post: operations["see_offer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns this document */
        get: operations["openapi_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's payments, as customer and as the mechanic that is paid, newest first */
        get: operations["list_payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a payment, to its customer, the mechanic that it pays, and admins */
        get: operations["get_payment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/cash-confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirms that this amount of cash changed hands
         * @description Once both sides have confirmed it, the job is paid. A repeated confirmation changes nothing.
         */
        post: operations["confirm_cash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the receipt of a payment, to its customer, the mechanic that it pays, and admins */
        get: operations["get_receipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refunds a captured payment, in part or in full
         * @description The refund lowers the price of the job, and the mechanic's share too.
         *
         *     For admins at the money desk.
         */
        post: operations["refund_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an order, for a job or for a set of cancellation fees */
        post: operations["create_order"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/outstanding-fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's unpaid cancellation fees, the oldest first, 100 at most
         * @deprecated
         * @description Same as `GET /payments/unpaid-fees`, which takes its place.
         */
        get: operations["list_unpaid_fees_by_old_path"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/unpaid-fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's unpaid cancellation fees, the oldest first, 100 at most */
        get: operations["list_unpaid_fees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes the data that the gateway's checkout returned to the app
         * @description The service asks the gateway itself; if the gateway can't be reached, the answer is the payment as it is, which is updated later.
         */
        post: operations["verify_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes an event of the payment gateway: it is stored once, then answered
         * @description A failure to process it is answered 200 too, since the service retries on its own; only an event that could not be stored should be sent again (503).
         */
        post: operations["take_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/place-requests/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the holder of a link who asks
         * @description A browser (`Accept: text/html`) gets a page that shares the place, with the same status, if the service has the web apps. The link that people get is the shorter `/where/{token}`, since it is read aloud.
         */
        get: operations["open_place_request"];
        put?: never;
        /**
         * Shares a place by the link
         * @description Sharing again corrects it, until an admin takes it.
         */
        post: operations["share_place"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches places by their name or a part of their address
         * @description Places near a point come first, if one is given. `GET /config` says whether the beginning of a name is enough (`places.as_you_type`). Coordinates (`12.97, 77.59`), full plus codes, `geo:` URIs and links to maps that contain a point give that point, named by its coordinates.
         */
        get: operations["search_places"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/places/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the address at a point, or of the place nearest to it */
        get: operations["find_address"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/privacy-notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the operator's statement about people's data: the newest version, or the requested one, so that people can read the version to which they agreed
         * @description The text is in the language of `language`, else of `Accept-Language`, else in English. It may be cached for a minute.
         */
        get: operations["get_privacy_notice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/gateway/orders/{gateway_order_id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pays an order, or fails to pay it, in the customer's place
         * @description Development only: there is no such path with a real gateway.
         */
        post: operations["pay_order"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the kinds of help, in their order
         * @description Only admins see those that are switched off.
         */
        get: operations["list_service_categories"];
        put?: never;
        /**
         * Adds a kind of help
         * @description For admins at the settings desk.
         */
        post: operations["create_service_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a kind of help */
        get: operations["get_service_category"];
        put?: never;
        post?: never;
        /**
         * Removes a kind of help; one that jobs or mechanics refer to is switched off instead
         * @description For admins at the settings desk.
         */
        delete: operations["delete_service_category"];
        options?: never;
        head?: never;
        /**
         * Changes the given fields
         * @description Prices of existing jobs stay the same.
         *
         *     For admins at the settings desk.
         */
        patch: operations["update_service_category"];
        trace?: never;
    };
    "/shares/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the holder of a link where help is */
        get: operations["track_shared_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calls the job's mechanic with a link
         * @description The call rings on all their devices for `calls.ring_s` seconds.
         */
        post: operations["call_mechanic_as_guest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/calls/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers the mechanic's call with a link; other devices stop ringing
         * @description Repeating it with the same link returns the same call.
         */
        post: operations["accept_call_as_guest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/calls/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hangs up with a link, whether the call is ringing or was answered
         * @description A call that is over is returned unchanged.
         */
        post: operations["end_call_as_guest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/calls/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Declines the mechanic's call with a link; all devices stop ringing
         * @description Repeating it returns the same call.
         */
        post: operations["reject_call_as_guest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/calls/{id}/signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Passes a signal of a call on to the mechanic's device, as `call.signal` does on a socket; replies arrive on the link's stream
         * @description At most `calls.signals_per_second`. Signals are not stored.
         */
        post: operations["signal_as_guest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/calls/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a token with which the device of a link's holder enters the job's room, and lists the servers to reach it
         * @description This works only while they have a call, and the token ends with that call or the link at the latest.
         */
        post: operations["issue_guest_call_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the chat with the job's mechanic since they got the job, for the holder of a link: the newest messages, the newest before `before_seq`, or those after `since_seq` */
        get: operations["list_guest_messages"];
        put?: never;
        /**
         * Writes to the job's mechanic with a link, on behalf of the customer, who can read it
         * @description Sending a message again with the same `client_message_id` returns the same message with 200. At most `chat.messages_per_minute` for each link.
         */
        post: operations["send_guest_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams changes and calls as server-sent events, for the holder of a link who may talk
         * @description An open stream rings when the mechanic calls the beneficiary.
         */
        get: operations["stream_as_guest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shares/{token}/way-ahead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the mechanic's route ahead by road, for the holder of a link, without its last 200 m, which lead to an address
         * @description See `GET /jobs/{id}/way-ahead`.
         */
        get: operations["get_shared_way_ahead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/admins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists admins and super-admins, the newest first */
        get: operations["list_admins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists invitations, the newest first */
        get: operations["list_invites"];
        put?: never;
        /**
         * Invites someone to become an admin
         * @description The token is in this answer, and in a mail to them if the service sends mail. An open invitation of the same email is revoked, with the account that was made with it, so another invitation replaces a lost token.
         */
        post: operations["invite_admin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/invites/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes a pending invitation
         * @description Its token is no longer valid, nor is the account that was made with it.
         */
        delete: operations["revoke_invite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/log-filter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the filter of the log of the server that answers */
        get: operations["get_log_filter"];
        /**
         * Sets another filter for the log of the server that answers, for a limited time; in a cluster, each server has its own
         * @description Data that is never logged is not logged with it either.
         */
        put: operations["set_log_filter"];
        post?: never;
        /** Restores the usual filter at once */
        delete: operations["reset_log_filter"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/mail/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a test mail, to an address or to the caller's own, and returns the mail server's answer */
        post: operations["test_mail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/privacy-notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publishes the next version of the privacy notice, which is in force at once, on every server */
        post: operations["publish_privacy_notice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/push/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test push to each of the caller's own devices, and returns the push service's answer for each
         * @description The list is empty if the caller has no device: devices are registered by `POST /notifications/push-tokens`.
         */
        post: operations["test_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/sms/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test message to a phone that the admin has at hand: the text of a one-time password with a code of zeros, which signs nobody in
         * @description The message counts towards the budgets of text messages, and numbers that get no codes are refused: 422 for `phone`.
         */
        post: operations["test_sms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Ends an admin's account, with its sessions, its password and its pending invitations
         * @description The name and the email are removed, except from the audit log, which keeps them as long as its entries.
         */
        delete: operations["end_admin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/users/{id}/desks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Narrows an admin to some desks, or lets them work at all desks again
         * @description The change takes effect at once: a request that needs another desk is answered 403 DESK_NEEDED from then on, and open sockets have to connect again. A super-admin is at every desk.
         */
        put: operations["change_desks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/users/{id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Gives a role, or takes one away */
        put: operations["change_role"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/super-admin/users/{id}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes an admin's second factor at the embedded identity provider
         * @description They sign in with the password alone until they set up another one. Your own can be reset by another super-admin, or on the command line with `admin create`.
         */
        delete: operations["reset_second_factor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the holder of a link where help is
         * @deprecated
         * @description Same as `GET /shares/{token}`, which takes its place.
         */
        get: operations["track_shared_job_by_old_path"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/call/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a token with which the device of a link's holder enters the job's room, and lists the servers to reach it
         * @deprecated
         * @description Same as `POST /shares/{token}/calls/token`, which takes its place.
         */
        post: operations["issue_guest_call_token_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Calls the job's mechanic with a link
         * @deprecated
         * @description Same as `POST /shares/{token}/calls`, which takes its place.
         */
        post: operations["call_mechanic_as_guest_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/calls/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answers the mechanic's call with a link; other devices stop ringing
         * @deprecated
         * @description Same as `POST /shares/{token}/calls/{id}/accept`, which takes its place.
         */
        post: operations["accept_call_as_guest_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/calls/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hangs up with a link, whether the call is ringing or was answered
         * @deprecated
         * @description Same as `POST /shares/{token}/calls/{id}/end`, which takes its place.
         */
        post: operations["end_call_as_guest_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/calls/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Declines the mechanic's call with a link; all devices stop ringing
         * @deprecated
         * @description Same as `POST /shares/{token}/calls/{id}/reject`, which takes its place.
         */
        post: operations["reject_call_as_guest_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/calls/{id}/signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Passes a signal of a call on to the mechanic's device, as `call.signal` does on a socket; replies arrive on the link's stream
         * @deprecated
         * @description Same as `POST /shares/{token}/calls/{id}/signal`, which takes its place.
         */
        post: operations["signal_as_guest_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the chat with the job's mechanic since they got the job, for the holder of a link: the newest messages, the newest before `before_seq`, or those after `since_seq`
         * @deprecated
         * @description Same as `GET /shares/{token}/messages`, which takes its place.
         */
        get: operations["list_guest_messages_by_old_path"];
        put?: never;
        /**
         * Writes to the job's mechanic with a link, on behalf of the customer, who can read it
         * @deprecated
         * @description Same as `POST /shares/{token}/messages`, which takes its place.
         */
        post: operations["send_guest_message_by_old_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams changes and calls as server-sent events, for the holder of a link who may talk
         * @deprecated
         * @description Same as `GET /shares/{token}/stream`, which takes its place.
         */
        get: operations["stream_as_guest_by_old_path"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/track/{token}/way-ahead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the mechanic's route ahead by road, for the holder of a link, without its last 200 m, which lead to an address
         * @deprecated
         * @description Same as `GET /shares/{token}/way-ahead`, which takes its place.
         */
        get: operations["get_shared_way_ahead_by_old_path"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trackers/osmand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Takes a position by OsmAnd's protocol, as a query string
         * @description A message that can't be used is taken, too, and the mechanic sees why.
         */
        get: operations["take_from_osmand"];
        put?: never;
        /**
         * Takes a position from Traccar Client: as a form since its version 10, as JSON in version 9, and before that as a query string, like the GET
         * @description A message that can't be used is taken, too, and the mechanic sees why.
         */
        post: operations["take_from_traccar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trackers/owntracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a position from OwnTracks in HTTP mode, which signs in with the tracker's token as its password
         * @description A message that can't be used is taken, too, since the app would repeat it; the mechanic sees why.
         */
        post: operations["take_from_owntracks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an upload of the caller's, with its progress and the stored file */
        get: operations["get_upload"];
        put?: never;
        post?: never;
        /**
         * Deletes a file of the caller's, or cancels an announced one
         * @description While something shows the file, delete that first: a photo of a job, a document, the picture of the account. Messages of a chat and statements of a dispute stay, and so do their files.
         */
        delete: operations["delete_upload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Completes an upload after its bytes were sent: they are checked and stored
         * @description A picture loses its metadata (place, time and camera) but not its orientation, so it may be smaller afterwards. From then on bodies may hold the `file_url`. Repeating the request returns the same answer. Bytes that differ from the announcement are removed; they may be sent again.
         */
        post: operations["complete_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a file by its signed link */
        get: operations["fetch_upload_content"];
        /**
         * Accepts the bytes of an upload under its link
         * @description Bytes that differ from the announcement are refused, and may be sent again.
         */
        put: operations["send_upload_content"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Redirects to the file by a short-lived link, with the rules of `GET /uploads/{id}/link` */
        get: operations["get_upload_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a short-lived link to the file, for people who may see it: its owner, admins, everyone who is signed in if it is an avatar, and the customer and mechanic of a job that refers to it
         * @description The audit log records the files of others that an admin reads, except avatars.
         */
        get: operations["get_upload_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/presign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announces a file; the answer contains the link to which it is sent
         * @description The link accepts exactly these bytes once; completing the upload checks them.
         */
        post: operations["presign_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's own account */
        get: operations["get_me"];
        put?: never;
        post?: never;
        /** Anonymises the caller's account and ends its sessions */
        delete: operations["delete_me"];
        options?: never;
        head?: never;
        /** Changes the given fields of the caller's own account */
        patch: operations["update_me"];
        trace?: never;
    };
    "/users/me/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's consent, and whether they have to agree to the newest privacy notice */
        get: operations["get_my_consent"];
        /**
         * Records that the caller agrees to the newest privacy notice, which they have read in this language
         * @description A repeat changes nothing. The request is allowed 20 times a day; `DELETE` withdraws the consent at any time.
         */
        put: operations["give_my_consent"];
        post?: never;
        /**
         * Withdraws the caller's agreement to the privacy notice
         * @description While a notice is published, they can't create jobs or go online until they agree again (`CONSENT_NEEDED`); a mechanic goes offline at once. Open jobs go on. The caller's stored data stays: `DELETE /users/me` removes it.
         */
        delete: operations["withdraw_my_consent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a code to an address by mail
         * @description `POST /users/me/email/confirm` with the code makes the address the caller's: receipts go there. Until then the caller's address does not change.
         */
        post: operations["send_email_code"];
        /**
         * Removes the caller's address, and the code that was to confirm one
         * @description The caller gets no more mail.
         */
        delete: operations["remove_email"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes the address to which the code was sent the caller's
         * @description After five wrong codes a new code is needed: 422 for `code`.
         */
        post: operations["confirm_email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Exports everything that is stored about the caller, in one file */
        get: operations["export_my_data"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/grievances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's questions and complaints about their data, with the answers, the newest first */
        get: operations["list_my_grievances"];
        put?: never;
        /**
         * Sends a question or a complaint about the caller's data
         * @description An admin answers by `due_at` (`privacy.grievance_days`), and the caller is notified. A person has at most five open, and writes at most ten a day.
         */
        post: operations["write_grievance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Changes the number with which the caller signs in
         * @description `POST /auth/send-otp` sends the codes, one to the present number and one to the new one. The caller's other sessions end, and the old number is sent a message.
         */
        put: operations["change_phone"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vehicles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's vehicles: the default first, then the newest */
        get: operations["list_vehicles"];
        put?: never;
        /**
         * Adds a vehicle
         * @description A person's first one becomes the default.
         */
        post: operations["create_vehicle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vehicles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one of the caller's vehicles */
        get: operations["get_vehicle"];
        put?: never;
        post?: never;
        /**
         * Removes a vehicle
         * @description If it was the default, the newest remaining vehicle becomes the default.
         */
        delete: operations["delete_vehicle"];
        options?: never;
        head?: never;
        /**
         * Changes the given fields
         * @description Making a vehicle the default replaces the present default.
         */
        patch: operations["update_vehicle"];
        trace?: never;
    };
    "/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's balances, debts and lifetime earnings */
        get: operations["get_wallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists disputes about the mechanic's jobs, newest first, regardless of who opened them */
        get: operations["list_my_disputes"];
        put?: never;
        /** Opens a dispute about one of the mechanic's jobs, as `POST /jobs/{id}/dispute` does */
        post: operations["dispute_my_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a dispute about one of the mechanic's jobs */
        get: operations["get_my_dispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/refunds/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the refunds of a payment, the oldest first (contract 4.10): for its customer, the mechanic that earned by it, and admins */
        get: operations["list_refunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's settlements, the newest period first */
        get: operations["list_my_settlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a settlement of the caller; admins see everyone's */
        get: operations["get_settlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the lines of the caller's accounts, the newest first */
        get: operations["list_wallet_transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/upi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's UPI accounts with the status of their verification (contract 4.11): the default first, then the oldest */
        get: operations["list_upi_accounts"];
        put?: never;
        /**
         * Adds a UPI account and asks the provider who owns it
         * @description Until the provider answers, the account stays pending, and the service asks again. The first verified account becomes the default.
         */
        post: operations["add_upi_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/upi/{upiAccountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one of the caller's UPI accounts */
        get: operations["get_upi_account"];
        put?: never;
        post?: never;
        /**
         * Removes an account
         * @description If it was the default, the oldest other usable account becomes the default.
         */
        delete: operations["delete_upi_account"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/upi/{upiAccountId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approves an account although its names do not match (contract 4.6)
         * @description For admins at the money desk.
         */
        post: operations["approve_upi_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/upi/{upiAccountId}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an account the default, which is used when a withdrawal names no account */
        post: operations["make_upi_account_default"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/upi/{upiAccountId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rejects an account whose names do not match
         * @description For admins at the money desk.
         */
        post: operations["reject_upi_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/upi/{upiAccountId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks the provider again, for example after the bank has corrected a name */
        post: operations["verify_upi_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's withdrawals, the newest first */
        get: operations["list_withdrawals"];
        put?: never;
        /**
         * Requests a withdrawal
         * @description The amount is held at once and sent in the background; the withdrawal's status shows the progress.
         */
        post: operations["request_withdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one of the caller's withdrawals */
        get: operations["get_withdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/where/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the holder of a link who asks
         * @deprecated
         * @description Same as `GET /place-requests/{token}`, which takes its place.
         */
        get: operations["open_place_request_by_old_path"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workshops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the workshops that a vehicle can be towed to, nearest first */
        get: operations["list_workshops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Opens the socket (RFC 6455)
         * @description Send a bearer token, or `?ticket=` where headers can't be set, as in a browser.
         */
        get: operations["open_socket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ws/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a ticket that opens one socket within a minute, so that no token appears in a URL */
        post: operations["issue_ticket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptInvite: {
            /** @description An ID token of the identity provider, whose verified email is the invited one. */
            idpIdToken: components["schemas"]["TokenText"];
            /** @description The invitation's token. */
            token: components["schemas"]["TokenText"];
        };
        /**
         * Format: double
         * @description The radius of the circle in which the phone believes to be, in metres; -1 if unknown.
         */
        AccuracyM: number;
        /**
         * @description The kind of person that acted on a job, or the system.
         * @enum {string}
         */
        ActorKind: "customer" | "mechanic" | "admin" | "system";
        /** @description The address at a point. */
        AddressAt: {
            /** @description The owner of the data, to be shown with it; null if it need not be shown. */
            attribution: string | null;
            place: components["schemas"]["Place"] | null;
        };
        /** @description A grievance as an admin reads and answers it. */
        AdminGrievance: components["schemas"]["GrievanceEntry"] & components["schemas"]["CustomerContact"] & {
            /** @description What is answered; null before. */
            answer: string | null;
            /** @description The text in the person's words; null once their account is deleted, like the answer. */
            text: string | null;
        };
        AdminLogin: {
            /** @description An ID token of the identity provider. */
            idpIdToken: components["schemas"]["TokenText"];
        };
        AdminReason: {
            /** @description Why, in the words of whoever decided it. */
            reason: components["schemas"]["Text3To500"];
        };
        /**
         * @description The role for which a person is invited.
         * @enum {string}
         */
        AdminRole: "admin" | "super_admin";
        /** @description How admins sign in to the console. */
        AdminSignInConfig: {
            /** @description How admins sign in to the console. */
            kind: components["schemas"]["AdminSignInKind"];
            /** @description The name by which people know the provider; null if the operator has not set it. */
            provider_name: string | null;
        };
        /** @enum {string} */
        AdminSignInKind: "password" | "provider";
        /** @description An account as admins see it. */
        AdminUser: components["schemas"]["User"] & {
            /** @description The desks of an admin; empty for everybody else. */
            desks: components["schemas"]["Desk"][];
            /** @description Whether the identity provider vouched for the address. */
            email_verified: boolean;
            /** @description The language of messages to this person. */
            language: string;
            /**
             * Format: int32
             * @description The number of jobs that they may have open at once, if an admin has set one; null if everybody's limit
             *     applies.
             */
            max_open_jobs: number | null;
            /**
             * Format: uuid
             * @description The mechanic's profile, if the person is a mechanic.
             */
            mechanic_profile_id: string | null;
            phone_changed_at: components["schemas"]["Timestamp"] | null;
            status: components["schemas"]["UserStatus"];
            /** @description Why the account is suspended, in the admin's words; null if it is not. */
            suspension_reason: string | null;
        };
        /** @description Whether mechanics follow the advice where to wait, since the server started. Advice that is still valid counts only as given. */
        AdviceFigures: {
            /**
             * Format: int64
             * @description How often they got a job or went offline before they were seen there.
             */
            cut_short: number;
            /**
             * Format: int64
             * @description How often they were seen within a kilometre of the place before the advice ended.
             */
            followed: number;
            /**
             * Format: int64
             * @description The share of mechanics who followed among those who followed or stayed; null before the first.
             */
            followed_percent: number | null;
            /**
             * Format: int64
             * @description How often mechanics were advised where to wait.
             */
            given: number;
            /**
             * Format: int64
             * @description How often they were not.
             */
            stayed: number;
        };
        /**
         * @description The advantage of the area.
         * @enum {string}
         */
        AdviceReason: "more_calls" | "fewer_mechanics";
        /** @description A version that a person agrees to. */
        AgreedNotice: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            /** @description The language in which they read it. */
            language: components["schemas"]["NoticeLanguage"];
            /**
             * Format: int64
             * @description The number of the version; the newest has the highest.
             */
            version: number;
        };
        /** @description The changes to an item; the rest stays. */
        AmendLineItem: {
            /** @description What people say about it, in their own words. */
            description?: components["schemas"]["Text1To500"];
            photo_url?: components["schemas"]["FileUrl"] | null;
            /** @description How many of them. */
            quantity?: components["schemas"]["Whole1To1000"];
            type?: components["schemas"]["LineItemType"];
            unit_price?: components["schemas"]["UnitPrice"];
        };
        /**
         * @description The app of one side.
         * @enum {string}
         */
        App: "customer" | "mechanic";
        /** @description The settings that an app needs before anyone signs in. */
        AppConfig: {
            admin_sign_in: components["schemas"]["AdminSignInConfig"];
            /** @description The country code of numbers that are written without one. */
            country_code: string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Whether `POST /demo/play` works here: in development, with a program that contains the simulator. */
            demo_available: boolean;
            /** @description Whether the service is for development or production. */
            environment: components["schemas"]["AppEnvironment"];
            job_stop: components["schemas"]["JobStopConfig"] | null;
            map: components["schemas"]["MapConfig"];
            operator: components["schemas"]["OperatorConfig"];
            payments: components["schemas"]["PaymentConfig"];
            places: components["schemas"]["PlacesConfig"] | null;
            /**
             * Format: int64
             * @description The version of the privacy notice that people have to agree to (`GET /privacy-notice`); null while none is published, and
             *     apps then don't ask.
             */
            privacy_notice_version: number | null;
            /** @description How notifications reach phones and browsers here. */
            push: components["schemas"]["WebPushConfig"];
            rules: components["schemas"]["RulesConfig"];
            support: components["schemas"]["SupportConfig"];
        };
        /** @enum {string} */
        AppEnvironment: "development" | "production";
        /**
         * @description The mechanic's arrival. `override_reason` accepts an arrival without a plausible position near the pickup; the timeline shows
         *     it. Such an arrival makes no cancellation dearer, and an admin decides about a no-show after it.
         */
        Arrive: {
            override_reason?: components["schemas"]["Text3To200"] | null;
        };
        /** @description A request as admins see it. */
        AskedPlace: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            place: components["schemas"]["SharedPlace"] | null;
            sent_at: components["schemas"]["Timestamp"] | null;
            status: components["schemas"]["PlaceRequestStatus"];
        };
        /** @description The mechanic to assign, bypassing the offers. */
        Assign: {
            mechanic_profile_id: components["schemas"]["Id"];
            override_reason?: components["schemas"]["Text3To200"] | null;
        };
        /**
         * @description Whether an admin can assign the mechanic: `yes`; `with_reason`, since dispatch would leave them out (`override_reason`);
         *     or `no`, because they are on another job, are not verified, or are the customer.
         * @enum {string}
         */
        Assignable: "yes" | "with_reason" | "no";
        /** @description A mechanic who is online, and whether they could take the job. */
        AssignmentCandidate: components["schemas"]["MechanicContact"] & {
            assignable: components["schemas"]["Assignable"];
            /**
             * Format: int32
             * @description The straight-line distance to the pickup, in metres.
             */
            distance_m: number;
            /**
             * Format: int32
             * @description How long the way takes, in seconds.
             */
            eta_s: number;
            eta_source: components["schemas"]["EtaSource"];
            /**
             * Format: uuid
             * @description The job that they are on; null if there is none.
             */
            job_id: string | null;
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
            /** @description Why dispatch would not offer them the job now; empty if it could. */
            refusals: components["schemas"]["DispatchReason"][];
            /** @description When the position was recorded. */
            seen_at: components["schemas"]["Timestamp"];
        };
        /** @description A change that an admin made. */
        AuditEntry: {
            /** @description The action, as a noun and a verb. */
            action: string;
            /**
             * Format: email
             * @description The email that the identity provider vouched for at that time. Admins can't choose it: it stays if they change their
             *     account's email.
             */
            actor_email: string | null;
            /**
             * Format: uuid
             * @description The admin; null for a change that was made from the command line, or that followed the identity provider's claim.
             */
            actor_id: string | null;
            /** @description The name that the admin had chosen by then. */
            actor_name: string | null;
            /** @description The values of the same fields afterwards; null where the object was removed. */
            after: Record<string, never> | null;
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            /** @description The values of the changed fields before; null where the object was made. Telephone numbers and secrets are removed. */
            before: Record<string, never> | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The object's id.
             */
            object_id: string | null;
            /** @description The kind of the object, such as `job` or `user`. */
            object_type: string;
        };
        /** @description Whether the mechanic wants jobs, and optionally their present position. */
        AvailabilityWish: {
            /** @description Whether the mechanic wants jobs. */
            is_available: boolean;
            lat?: components["schemas"]["Latitude"] | null;
            lng?: components["schemas"]["Longitude"] | null;
        };
        /** @description A call between the two sides of a job. */
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
        /** @description A request to be called, with what an admin has to know about its job. */
        Callback: {
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            done_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @description The admin who closed the request; null if a mechanic was found.
             */
            done_by: string | null;
            /** @description The admin's note, for admins only. */
            done_note: string | null;
            /**
             * Format: uuid
             * @description The job's id: a job has one request.
             */
            id: string;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /** @description The job's present status. A cancelled job leaves its request open: the customer may still wait for the call. */
            job_status: components["schemas"]["JobStatus"];
            /** @description The customer's words. */
            note: string | null;
            outcome: components["schemas"]["CallbackOutcome"] | null;
            /** @description The last parts of the pickup's address. */
            pickup_area: string;
            /** @description When it was asked for. */
            requested_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The kind of help.
             */
            service_category_id: string;
            /** @description The category's name when the job was created. */
            service_category_name: string;
            /**
             * Format: int64
             * @description Minutes from the beginning of the search until a mechanic accepted, the job was cancelled, or now.
             */
            waiting_minutes: number;
        };
        /** @description A request with the customer to call, as only admins see it. */
        CallbackForAdmin: components["schemas"]["Callback"] & components["schemas"]["CustomerContact"];
        /**
         * @description The outcome of a request to be called.
         * @enum {string}
         */
        CallbackOutcome: "reached" | "not_reached" | "resolved_without_call" | "mechanic_found";
        /**
         * @description Whether a request to be called is open or done.
         * @enum {string}
         */
        CallbackStatus: "open" | "done";
        /**
         * @description The people on the called side whom a call rings.
         * @enum {string}
         */
        CallReach: "account" | "guests" | "both";
        /**
         * @description The outcome of a request that an admin closes.
         * @enum {string}
         */
        CallResult: "reached" | "not_reached" | "resolved_without_call";
        /**
         * @description The state of a call.
         * @enum {string}
         */
        CallStatus: "ringing" | "accepted" | "rejected" | "missed" | "cancelled" | "ended";
        /** @description The credentials with which one person's device enters the job's room for a while. */
        CallToken: {
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            ice_servers: components["schemas"]["IceServer"][];
            /** @description `peer`: the two apps connect to each other, and signal over the socket (`call.signal`). `hms`: a room of 100ms. */
            provider: string;
            /** @description The job's room, as in `hms_room_id` of the job. */
            room_id: string;
            /** @description A secret that admits whoever holds it. */
            token: string;
        };
        /** @description The reason why the caller cancels, and the fee that they accept. */
        Cancel: {
            /**
             * @description Whether to cancel whatever the fee is. Ignored if `quoted_fee` is given.
             * @default false
             */
            accept_fee?: boolean;
            quoted_fee?: components["schemas"]["Money"] | null;
            /** @description Why, in the words of whoever decided it. */
            reason?: components["schemas"]["Text1To500"] | null;
            reason_code: components["schemas"]["CancelReason"];
        };
        /** @description The fee for cancelling now. */
        CancellationQuote: {
            cancellation_fee: components["schemas"]["Money"];
            free_cancellations: components["schemas"]["FreeCancellations"] | null;
            free_until: components["schemas"]["Timestamp"] | null;
            /** @description The reason for this fee. */
            reason: string;
        };
        /**
         * @description The reason why a customer cancels.
         * @enum {string}
         */
        CancelReason: "changed_mind" | "found_other_help" | "wait_too_long" | "mechanic_asked_to_cancel" | "wrong_details" | "other";
        /**
         * @description Why a job was cancelled: the customer's reason; `admin`, for the reason that an admin wrote down; `no_mechanic_found`, if nobody came and the customer did not search again; or `customer_no_show`.
         * @enum {string}
         */
        CancelReasonCode: "changed_mind" | "found_other_help" | "wait_too_long" | "mechanic_asked_to_cancel" | "wrong_details" | "other" | "admin" | "no_mechanic_found" | "customer_no_show";
        /** @description The outcome of an offer. */
        CandidateOffer: {
            /** @description The reason in the mechanic's words. */
            decline_reason: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            settled_at: components["schemas"]["Timestamp"] | null;
            /** @description How far it has come. */
            status: components["schemas"]["OfferStatus"];
        };
        CategoryChanges: {
            attempt_ttl_s?: components["schemas"]["Whole5To86400"] | null;
            base_price?: components["schemas"]["Price"];
            /** @description What people say about it, in their own words. */
            description?: components["schemas"]["Text0To1000"];
            destination?: components["schemas"]["DestinationRule"];
            /** @description The kilometres to the destination that are free. */
            destination_free_km?: components["schemas"]["Whole0To1000"];
            destination_per_km_price?: components["schemas"]["Price"];
            /** @description How long such work usually takes, in minutes. */
            estimated_duration_min?: components["schemas"]["Whole1To1440"];
            /** @description How many kilometres of the way to the pickup cost nothing. */
            free_km?: components["schemas"]["Whole0To1000"];
            icon_url?: components["schemas"]["FileUrl"] | null;
            in_time_s?: components["schemas"]["Whole60To86400"] | null;
            /** @description Whether it is offered now. */
            is_active?: boolean;
            max_rounds?: components["schemas"]["Whole1To100"] | null;
            /** @description The name, as people read it. */
            name?: components["schemas"]["Text1To80"];
            offer_ttl_s?: components["schemas"]["Whole1To3600"] | null;
            per_km_price?: components["schemas"]["Price"];
            rings_km?: components["schemas"]["Rings"] | null;
            /** @description Null returns to the setting. */
            round_widths?: components["schemas"]["Whole1To50"][] | null;
            slug?: components["schemas"]["Slug"];
            /** @description The place in lists: the lowest is first. */
            sort_order?: components["schemas"]["Whole0To10000"];
            urgent_first_round?: components["schemas"]["Whole1To100"] | null;
            vehicle_types?: components["schemas"]["VehicleType"][];
            worth_s?: components["schemas"]["Whole60To86400"] | null;
        };
        /** @description The figures of one category. */
        CategoryFigures: components["schemas"]["Figures"] & {
            /** @description The name, as people read it. */
            name: string;
            /**
             * Format: uuid
             * @description The kind of help.
             */
            service_category_id: string;
        };
        /** @description How fast help came in one category. */
        CategorySla: components["schemas"]["SlaFigures"] & {
            /** @description The name, as people read it. */
            name: string;
            /**
             * Format: uuid
             * @description The kind of help.
             */
            service_category_id: string;
        };
        /** @description The desks at which an admin works from now on. */
        ChangeDesks: {
            /** @description The desks. All four mean every desk, including those of later releases. */
            desks: components["schemas"]["Desk"][];
        };
        /** @description All settings, including those that stay as they are. */
        ChangeDispatch: {
            settings: components["schemas"]["DispatchKnobs"];
            /**
             * Format: int64
             * @description The version that was read before. If another version applies now, nothing is changed.
             */
            version: number;
        };
        /** @description A new number, with the codes that were sent to it and to the present one. */
        ChangePhone: {
            /** @description The code that was sent to the present number. */
            current_otp: components["schemas"]["OtpText"];
            /** @description The code that was sent to the new number. */
            otp: components["schemas"]["OtpText"];
            phone: components["schemas"]["Phone"];
        };
        ChangeRole: {
            role: components["schemas"]["Role"];
        };
        /**
         * @description The way in which a customer pays: at the gateway, or in cash to the mechanic.
         * @enum {string}
         */
        Channel: "online" | "cash";
        /** @description A chargeback: an amount of a payment that the customer's bank took back, or wants to take back. */
        ChargebackForAdmin: components["schemas"]["CustomerContact"] & {
            amount: components["schemas"]["Money"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            /** @description The chargeback's id at the gateway. */
            gateway_dispute_id: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The job that the payment is for; null if it is for fees.
             */
            job_id: string | null;
            /**
             * Format: uuid
             * @description The payment that it is about.
             */
            payment_id: string;
            /** @description The reason, in the gateway's words. */
            reason: string | null;
            status: components["schemas"]["ChargebackStatus"];
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description The progress of a chargeback: raised or under review, and how it ended.
         * @enum {string}
         */
        ChargebackStatus: "open" | "won" | "lost" | "closed";
        /**
         * @description The author of a message.
         * @enum {string}
         */
        ChatAuthor: "customer" | "mechanic" | "guest";
        /** @description A mechanic who had the job before. */
        ChatMechanic: {
            /** @description The first word of the person's name; null if they gave none. */
            first_name: string | null;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
        };
        /** @description A part of a job's chat, in the order of the job's log. */
        ChatMessages: {
            /**
             * Format: int64
             * @description The last event up to which the customer has read; 0 before that.
             */
            customer_read_seq: number;
            data: components["schemas"]["Message"][];
            /** @description Mechanics who had the job before, and wrote or were written to; only for the customer and admins. */
            earlier_mechanics: components["schemas"]["ChatMechanic"][];
            /** @description Whether there are more: newer ones if `since_seq` was given, else older ones. */
            has_more: boolean;
            /** @description Whether the two sides may write now. */
            is_writable: boolean;
            /**
             * Format: int64
             * @description The first event that the present mechanic may see; null if the job has no mechanic.
             */
            mechanic_first_seq: number | null;
            /**
             * Format: int64
             * @description The last event up to which the job's present mechanic has read; 0 before that. It does not cover messages from before
             *     `mechanic_first_seq`, which they don't see: for these see `read_at`.
             */
            mechanic_read_seq: number;
            /**
             * Format: int64
             * @description The number of other people's messages that the caller has not read; 0 for admins.
             */
            unread: number;
            writable_until: components["schemas"]["Timestamp"] | null;
        };
        /** @description How far one side has read. It only grows. */
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
        /**
         * @description A side of a job.
         * @enum {string}
         */
        ChatSide: "customer" | "mechanic";
        /** @description Mechanics with the same skills. The smallest classes of a town are counted with the one most like them. */
        ClassPrice: components["schemas"]["ServedSkills"] & {
            /**
             * Format: double
             * @description The calls expected for this class, with its share of calls that other classes serve, too.
             */
            calls_per_hour: number;
            /**
             * Format: int64
             * @description The number of those mechanics who are neither on a job nor being offered one.
             */
            free: number;
            /**
             * Format: double
             * @description The price: how many jobs are lost for each hour that one of these mechanics is away.
             */
            jobs_lost_per_hour: number;
            /**
             * Format: double
             * @description How many mechanics these calls keep busy on average.
             */
            load: number;
            /**
             * Format: int64
             * @description The number of mechanics online.
             */
            mechanics: number;
            /**
             * Format: double
             * @description How many jobs one more mechanic of this class would save per hour: fewer than the price, as each further mechanic has less
             *     to do.
             */
            one_more_saves_per_hour: number;
        };
        /** @description The outcome with which an admin closes a request. */
        CloseCallback: {
            note?: components["schemas"]["Text1To500"] | null;
            outcome: components["schemas"]["CallResult"];
        };
        /** @description The answering server's connection to NATS. */
        ClusterBus: {
            /** @description Whether this server is connected to NATS. */
            is_connected: boolean;
            /**
             * Format: int64
             * @description How many messages this server could not send, or take in time, since its start.
             */
            lost_messages: number;
        };
        /** @description The engine, and the server that runs it. */
        ClusterEngine: {
            /** @description Whether the engine answers. */
            is_answering: boolean;
            /**
             * Format: uuid
             * @description The present or last leader.
             */
            server: string | null;
        };
        /** @description A server of the cluster. */
        ClusterNode: {
            /**
             * Format: int64
             * @description How far the server's clock is ahead of the database's, in milliseconds; null if that is not known.
             */
            clock_ahead_ms: number | null;
            /**
             * Format: int64
             * @description The age of the server's report in milliseconds.
             */
            heard_ms_ago: number;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the server is about to stop. */
            is_draining: boolean;
            /** @description Whether the server runs the engine. */
            is_leading: boolean;
            /** @description The version of the program that runs there. */
            release: string;
            /** @description Since when. */
            since: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The number of open WebSockets.
             */
            sockets: number;
        };
        /** @description The servers of this database, as known to the answering server. */
        ClusterState: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            bus: components["schemas"]["ClusterBus"] | null;
            engine: components["schemas"]["ClusterEngine"];
            /** @description The servers, of which the answering one is the first. */
            nodes: components["schemas"]["ClusterNode"][];
            /** @description The latest 20 take-overs, newest first. */
            take_overs: components["schemas"]["TakeOver"][];
        };
        /**
         * @description Every error code of the API.
         * @enum {string}
         */
        Code: "BAD_REQUEST" | "UNAUTHORIZED" | "TOKEN_EXPIRED" | "INVALID_OTP" | "SECOND_FACTOR_REQUIRED" | "SIGNATURE_INVALID" | "FORBIDDEN" | "ACCOUNT_SUSPENDED" | "EMAIL_NOT_VERIFIED" | "COOKIE_REFUSED" | "SECOND_FACTOR_MISSING" | "NOT_VERIFIED" | "DESK_NEEDED" | "NOT_FOUND" | "NO_PRIVACY_NOTICE" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "INVALID_TRANSITION" | "OFFER_TAKEN" | "OFFER_EXPIRED" | "ACTIVE_JOB_EXISTS" | "TOO_MANY_OPEN_JOBS" | "NO_NEW_JOBS" | "CONSENT_NEEDED" | "NOTICE_CHANGED" | "PUSH_NOT_SET_UP" | "ALREADY_REGISTERED" | "VEHICLE_IN_USE" | "CATEGORY_IN_USE" | "PENDING_APPROVAL" | "FEE_CHANGED" | "PRICE_CHANGED" | "UNPAID_FEES" | "INSUFFICIENT_BALANCE" | "ALREADY_RATED" | "IDEMPOTENCY_IN_FLIGHT" | "LINK_EXPIRED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED" | "WRONG_START_CODE" | "TOO_FAR_FROM_PICKUP" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "PROVIDER_ERROR" | "UNAVAILABLE" | "OUTCOME_UNKNOWN";
        /** @description The parameters with which the provider sent the browser back. */
        CompleteSignIn: {
            code: components["schemas"]["TokenText"];
            invitationToken?: components["schemas"]["TokenText"] | null;
            iss?: components["schemas"]["TokenText"] | null;
            state: components["schemas"]["TokenText"];
        };
        CompleteWork: {
            notes?: components["schemas"]["Text1To2000"] | null;
            outcome: components["schemas"]["Outcome"];
            override_reason?: components["schemas"]["Text3To200"] | null;
            photo_urls?: components["schemas"]["FileUrl"][] | null;
            received_by?: components["schemas"]["NameOf100"] | null;
        };
        /**
         * @description The concern that a list of jobs is limited to; `any` means any concern.
         * @enum {string}
         */
        ConcernFilter: "any" | "dark" | "stalled" | "moving_away" | "slipping";
        /** @description The amount of cash that changed hands. The answer is CONFLICT if the payment is for another amount. */
        ConfirmCash: {
            amount: components["schemas"]["Money"];
        };
        ConfirmEmail: {
            code: components["schemas"]["EmailCode"];
        };
        /** @description The consent of a person. */
        Consent: {
            agreed: components["schemas"]["AgreedNotice"] | null;
            /** @description The person's agreements and withdrawals, the newest first, at most 50. */
            history: components["schemas"]["ConsentRecord"][];
            /** @description Whether the person has to agree to the newest notice before they create a job or go online. */
            is_needed: boolean;
            /**
             * Format: int64
             * @description The newest notice's version; null if none is published.
             */
            notice_version: number | null;
        };
        /**
         * @description The kinds of acts of consent.
         * @enum {string}
         */
        ConsentKind: "given" | "withdrawn";
        /** @description An agreement to the privacy notice, or a withdrawal. */
        ConsentRecord: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            kind: components["schemas"]["ConsentKind"];
            language: components["schemas"]["NoticeLanguage"];
            /**
             * Format: int64
             * @description The number of the version; the newest has the highest.
             */
            version: number;
        };
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
        /** @description The customer's account of what happened. */
        ContestNoShow: {
            /** @description What this side says about it. */
            statement: components["schemas"]["Text1To2000"];
        };
        /** @description The customer's contact data, as only admins read it; null once they have left. */
        CustomerContact: {
            /** @description The customer's name; null if they gave none. */
            customer_name: string | null;
            /** @description The customer's phone number; null if their account has none. */
            customer_phone: string | null;
        };
        /**
         * Format: date
         * @description A day, `YYYY-MM-DD`.
         */
        Day: string;
        /** @description The figures of one day. */
        DayFigures: components["schemas"]["Figures"] & {
            /**
             * Format: date
             * @description The day, in the operator's time zone.
             */
            day: string;
        };
        /** @description An hour of the day in which one more mechanic of a class would save jobs. */
        DearHour: {
            /**
             * Format: int64
             * @description The position of the class in `classes`, from 0.
             */
            class_index: number;
            /**
             * Format: int64
             * @description The hour of the local day at which this hour begins.
             */
            hour: number;
            /**
             * Format: double
             * @description The price in this hour.
             */
            jobs_lost_per_hour: number;
            /** @description The class of mechanics, as people read it. */
            label: string;
            /**
             * Format: double
             * @description The number of jobs that one more mechanic would save in such an hour.
             */
            one_more_saves_per_hour: number;
        };
        /** @description The state of the item that the customer saw. The answer is CONFLICT if the mechanic has changed it since. */
        DecideLineItem: {
            quoted_total?: components["schemas"]["Money"] | null;
            /** @description The version that was shown: every change makes a new version, even one that leaves the total as it is. */
            version: components["schemas"]["Whole1To1000000"];
        };
        /** @description The decision whether the customer has to pay, and the reason for it. The note is shown to both sides. */
        DecideNoShow: {
            /** @description Whether the customer pays the fee. */
            charge: boolean;
            /** @description A remark to it; null if there is none. */
            note: components["schemas"]["Text1To2000"];
        };
        /** @description The decision whether the tow is paid, and the reason for it. The note is for admins. */
        DecideTow: {
            /** @description A remark to it; null if there is none. */
            note: components["schemas"]["Text1To2000"];
            /** @description Whether the mechanic is paid for the tow; if not, its price is taken off. */
            pay: boolean;
        };
        /** @description The reason for declining an offer; only operators see it. */
        Decline: {
            /** @description Why, in the words of whoever decided it. */
            reason?: components["schemas"]["Text1To200"] | null;
        };
        /**
         * @description The status of a notification's push.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "sent" | "failed" | "skipped";
        /** @description A point of the map. */
        DemoPlace: {
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
        };
        /**
         * @description The person to sign in as: each role is one person, the same every time.
         * @enum {string}
         */
        DemoRole: "admin" | "customer" | "mechanic";
        DemoSignIn: {
            as: components["schemas"]["DemoRole"];
        };
        /** @description The state of the demo city. */
        DemoState: {
            /** @description The middle of the city, where it plays or would play. */
            center: components["schemas"]["DemoPlace"];
            /** @description Why it ended by itself; null if it did not. */
            failure: string | null;
            /** @description Whether it plays around another point than where the city is, because somebody asked for it from there. */
            is_moved: boolean;
            /** @description Whether the demo city is being played. */
            is_playing: boolean;
            started_at: components["schemas"]["Timestamp"] | null;
            /** @description The city's name. */
            title: string;
        };
        /**
         * @description A desk of the console.
         * @enum {string}
         */
        Desk: "dispatch" | "money" | "people" | "settings";
        /** @description The vehicle's destination: a workshop of `GET /workshops`, or any other place. */
        DestinationChoice: {
            /** @description The address in words. */
            address?: components["schemas"]["Text1To500"] | null;
            lat?: components["schemas"]["Latitude"] | null;
            lng?: components["schemas"]["Longitude"] | null;
            workshop_id?: components["schemas"]["Id"] | null;
        };
        /**
         * @description Whether the customer says where the vehicle goes.
         * @enum {string}
         */
        DestinationRule: "none" | "optional" | "required";
        /**
         * @description The address for pushes: a registration token of FCM (letters, digits, `-`, `_`, `.`, `:` and `=`), or, together with `keys`,
         *     the `endpoint` of a browser's subscription.
         */
        DeviceToken: string;
        /** @description The reason why an admin closes an event that can't be dealt with. */
        DismissWebhookEvent: {
            /** @description The reason, which is kept in the audit log. */
            reason: components["schemas"]["Text3To500"];
        };
        /** @description A sign that mechanics are held back without benefit. */
        DispatchAlarm: {
            kind: components["schemas"]["DispatchAlarmKind"];
            /**
             * Format: double
             * @description A place near the town, as in `towns`; null if the alarm is about all of them.
             */
            lat: number | null;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number | null;
            /**
             * Format: uuid
             * @description The category that the alarm is about; null if it is not about one.
             */
            service_category_id: string | null;
            /** @description The alarm in a sentence or two. */
            text: string;
        };
        /**
         * @description The cause for concern.
         * @enum {string}
         */
        DispatchAlarmKind: "idle_beside_held" | "load_overrated" | "wasted_holds" | "category_starves";
        /** @description A mechanic who was considered. */
        DispatchCandidate: {
            /**
             * Format: int32
             * @description The straight-line distance to the pickup, in metres.
             */
            distance_m: number;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description The first name; null if the mechanic has none. */
            name: string | null;
            /** @description The reason in one line, with its numbers; null unless they were `held_back`. */
            note: string | null;
            offer: components["schemas"]["CandidateOffer"] | null;
            reason: components["schemas"]["DispatchReason"] | null;
            terms: components["schemas"]["DispatchTerms"] | null;
            verdict: components["schemas"]["DispatchVerdict"];
            /**
             * Format: uuid
             * @description The job that they were matched with instead; null unless that is the reason.
             */
            with_job_id: string | null;
        };
        /** @description One version of how jobs are dispatched. */
        DispatchConfiguration: {
            settings: components["schemas"]["DispatchKnobs"];
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @description The admin who made this version; null for version 0.
             */
            updated_by: string | null;
            /**
             * Format: int64
             * @description The version's number; 0 if the settings file applies.
             */
            version: number;
        };
        /** @description One look around the pickup. */
        DispatchDecision: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The attempt to find a mechanic, from 1: each new search is one.
             */
            attempt: number;
            /**
             * Format: int32
             * @description The number of waiting jobs that were decided together because they could use the same mechanics, including this one.
             */
            competing_jobs: number;
            /** @description The mechanics considered, at most 50, nearest first: all who were offered the job, then the nearest others. */
            considered: components["schemas"]["DispatchCandidate"][];
            /**
             * Format: int64
             * @description The most by which the decision's total cost may exceed the best one, in seconds; null unless `bounded`.
             */
            gap_s: number | null;
            /**
             * Format: int64
             * @description The number of looks that this represents: more than one if nobody was offered the job. A look with the same reasons as the
             *     one before is not counted.
             */
            looks: number;
            method: components["schemas"]["DispatchMethod"];
            /**
             * Format: int64
             * @description The decision's number among the job's, from 1.
             */
            number: number;
            /**
             * Format: int32
             * @description The number of further mechanics within the ring; where there are hundreds, some just outside are counted too.
             */
            omitted: number;
            /**
             * Format: int64
             * @description Seconds of precedence over other jobs, because the job has waited or is urgent.
             */
            priority_s: number;
            /**
             * Format: double
             * @description The radius of this look around the pickup.
             */
            ring_km: number;
            /**
             * Format: int32
             * @description The round of the search, from 1.
             */
            round: number;
            /**
             * Format: int32
             * @description The number of offers that the round had room for.
             */
            wanted: number;
        };
        /**
         * @description The cost of a mechanic's absence during this job, and of a late arrival. If `price_s` and `late_s` together reach `worth_s`
         *     and they are not likely to be in time (50 % at most), the mechanic is `held_back`.
         */
        DispatchForesight: {
            /**
             * Format: int64
             * @description How long they would be away: the drive and the work.
             */
            busy_s: number;
            /**
             * Format: double
             * @description The chance that they arrive in time.
             */
            chance_in_time_percent: number;
            /**
             * Format: double
             * @description The price of an hour of this mechanic: how many jobs it costs elsewhere.
             */
            jobs_lost_per_hour: number;
            /**
             * Format: double
             * @description The price of an hour of a mechanic of the same kind who has just become free; it falls while they wait. Null in older
             *     records.
             */
            jobs_lost_per_hour_at_first: number | null;
            /**
             * Format: int64
             * @description The cost of the chance of being late, in seconds of pickup time.
             */
            late_s: number;
            /**
             * Format: int64
             * @description The cost of that time, in seconds of pickup time.
             */
            price_s: number;
            /**
             * Format: int64
             * @description The value of serving the job in time, in seconds of pickup time.
             */
            worth_s: number;
        };
        /**
         * @description The settings that can be changed at run time. The names are those of the settings file, which explains each of them
         *     (`config/default.toml`); a service category may override the first six, `worth_s` and `in_time_s`.
         */
        DispatchKnobs: {
            /**
             * Format: int64
             * @description The additional cost of leaving it after an accident.
             */
            accident_bonus_s: number;
            /**
             * Format: int64
             * @description Mechanics who have had no job for this long are advised where to wait; 0 disables the advice. Only with `mechanic_prices`.
             */
            advice_after_s: number;
            /**
             * Format: int64
             * @description How long a search lasts, after which it ends without a mechanic.
             */
            attempt_ttl_s: number;
            /**
             * Format: double
             * @description How far trips are from their estimates: the standard deviation of the logarithm of their ratio.
             */
            eta_sigma: number;
            /**
             * Format: int64
             * @description The additional cost of leaving it on a highway.
             */
            highway_bonus_s: number;
            /** @description Whether an accident may be held back, too. */
            hold_accidents: boolean;
            /**
             * Format: int64
             * @description The reduction of an offer's cost for each minute that the mechanic has been idle, for an hour at most.
             */
            idle_weight_s_per_min: number;
            /**
             * Format: int64
             * @description A mechanic who arrives within this time after the call is in time.
             */
            in_time_s: number;
            /**
             * Format: int64
             * @description The percentage of that value that is left if they come late.
             */
            late_percent: number;
            /**
             * Format: int64
             * @description Rounds of offers, after which a search ends without a mechanic.
             */
            max_rounds: number;
            /**
             * @description Whether an hour of a mechanic's time has a price: if mechanics are scarce, nobody is sent to where that price exceeds the
             *     job's value, given the chance to arrive in time. Otherwise only the pickup counts.
             */
            mechanic_prices: boolean;
            /**
             * Format: int64
             * @description How long an offer lasts, in seconds; at most `attempt_ttl_s`.
             */
            offer_ttl_s: number;
            /**
             * @description Whether prices are on in some hours and off in others, to measure their effect: `GET /admin/dispatch/switchback` compares
             *     them. Only with `mechanic_prices`. False if not given.
             */
            price_switchback?: boolean;
            /**
             * Format: int64
             * @description The time over which calls are counted, to know how many to expect.
             */
            price_window_s: number;
            /**
             * Format: int64
             * @description The additional cost of an offer, multiplied by the refusals expected from the mechanic's last 20 answers.
             */
            refusal_weight_s: number;
            /** @description Rings around the pickup, each larger than the one before, up to 500 km. */
            rings_km: number[];
            /** @description Simultaneous offers in round 1, 2, …; the last applies to every later round. */
            round_widths: number[];
            /**
             * Format: int64
             * @description The cost of leaving a job without a mechanic, in seconds of pickup time, like everything that follows.
             */
            unserved_s: number;
            /**
             * Format: int64
             * @description The round at which accident and highway jobs begin; at most `max_rounds`.
             */
            urgent_first_round: number;
            /**
             * Format: int64
             * @description The additional cost of leaving it for each minute that it has waited, for an hour at most.
             */
            waiting_weight_s_per_min: number;
            /**
             * Format: int64
             * @description How long competing jobs are collected before they are matched.
             */
            window_ms: number;
            /**
             * Format: int64
             * @description The value of serving a job in time, in seconds of pickup time.
             */
            worth_s: number;
        };
        /**
         * @description How a decision was reached: `alone`, no other job wanted the same mechanics; `exact`, the least total cost of all
         *     competing jobs; `bounded`, at most `gap_s` above that, because there were too many; `greedy`, one job at a time.
         * @enum {string}
         */
        DispatchMethod: "alone" | "exact" | "bounded" | "greedy";
        /** @description An offer of the job. */
        DispatchOffer: {
            /**
             * Format: int32
             * @description The attempt to find a mechanic, from 1: each new search is one.
             */
            attempt: number;
            /**
             * Format: int64
             * @description The mechanic's cost when they were chosen, in seconds.
             */
            cost_s: number;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The reason in the mechanic's words. */
            decline_reason: string | null;
            /**
             * Format: int32
             * @description The straight-line distance to the pickup, in metres.
             */
            distance_m: number;
            /**
             * Format: int32
             * @description How long the way takes, in seconds.
             */
            eta_s: number;
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description The first name; null if the mechanic has none. */
            name: string | null;
            /**
             * Format: int32
             * @description The round of the search, from 1.
             */
            round: number;
            settled_at: components["schemas"]["Timestamp"] | null;
            /** @description How far it has come. */
            status: components["schemas"]["OfferStatus"];
        };
        /** @description The settings of a job's search, with the category's overrides. */
        DispatchPolicy: {
            /**
             * Format: int64
             * @description How long an attempt to find a mechanic lasts, in seconds.
             */
            attempt_ttl_s: number;
            /**
             * Format: int64
             * @description A mechanic who arrives within this time after the call is in time, in seconds.
             */
            in_time_s: number;
            /**
             * Format: int32
             * @description How many rounds a search has at most.
             */
            max_rounds: number;
            /**
             * Format: int64
             * @description How long an offer lasts, in seconds.
             */
            offer_ttl_s: number;
            /** @description Radii around the pickup, tried one after the other. */
            rings_km: number[];
            /** @description Simultaneous offers in round 1, 2, …; the last applies to every later round. */
            round_widths: number[];
            /**
             * Format: int32
             * @description The round at which accident and highway jobs begin.
             */
            urgent_first_round: number;
            /**
             * Format: int64
             * @description The version of the dispatch settings; 0 is the settings file.
             */
            version: number;
            /**
             * Format: int64
             * @description The value of serving the job in time, in seconds of pickup time.
             */
            worth_s: number;
        };
        /** @description The present price of an hour of mechanics' time. */
        DispatchPrices: {
            advice: components["schemas"]["AdviceFigures"];
            /** @description Signs that mechanics are held back without benefit; empty if all is well. */
            alarms: components["schemas"]["DispatchAlarm"][];
            holds: components["schemas"]["HoldFigures"];
            /** @description Whether the dispatch setting `mechanic_prices` is on. Otherwise there are no prices. */
            is_on: boolean;
            /** @description The prices by town. Empty until the first prices, some seconds after a start, and while nobody is online. */
            towns: components["schemas"]["TownPrices"][];
        };
        /** @enum {string} */
        DispatchReason: "costs_more" | "matched_with_another_job" | "kept_for_other_jobs" | "not_reserved" | "held_back" | "engaged" | "stale_position" | "vehicle_type" | "service_category" | "outside_own_radius" | "excluded";
        /**
         * @description Explains why each mechanic was, or was not, offered a job. Read `decisions` from the top: each is one look around the pickup,
         *     out to `ring_km`, with the mechanics found there, nearest first. A mechanic who is missing was offline, not verified, too
         *     inexactly located or farther away at that moment.
         */
        DispatchRecord: {
            /**
             * Format: int32
             * @description The search under way, or the last one, counted from 1; 0 before the first. A new search begins when a mechanic gives the
             *     job back, and with a retry.
             */
            attempt: number;
            attempt_ends_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description The decisions, oldest first; only the newest 64. Looks of one round that offered nobody the job are one entry: the last of
             *     them, with their count in `looks`.
             */
            decisions: components["schemas"]["DispatchDecision"][];
            /**
             * Format: int64
             * @description The number of older decisions that were replaced by newer ones. Decisions that a full queue lost are not counted here, but
             *     in the metric `roadcall_dispatch_decisions_lost_total`.
             */
            dropped_decisions: number;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /** @description Every offer of the job, oldest first; if there are more than 500, the newest ones. */
            offers: components["schemas"]["DispatchOffer"][];
            /** @description The policy of this job's search. For a job that has ended, the policy that would apply now. */
            policy: components["schemas"]["DispatchPolicy"];
            /**
             * Format: int32
             * @description The round under way; null unless the job is being dispatched.
             */
            round: number | null;
            status: components["schemas"]["JobStatus"];
        };
        /** @description The cost of a mechanic, in seconds of pickup time; the mechanic with the least cost is offered the job. */
        DispatchTerms: {
            /**
             * Format: int64
             * @description The sum of `eta_s`, `refusal_s`, `idle_s`, `parked_s`, and of `price_s` and `late_s` in `foresight`.
             */
            cost_s: number;
            /**
             * Format: int32
             * @description How long the way takes, in seconds.
             */
            eta_s: number;
            eta_source: components["schemas"]["EtaSource"];
            foresight: components["schemas"]["DispatchForesight"] | null;
            /**
             * Format: int64
             * @description Reduction for the time that they were idle: negative or 0.
             */
            idle_s: number;
            /**
             * Format: int64
             * @description Added for a mechanic who waits at a place with the phone in a pocket, for seeing the offer and getting to the vehicle; else 0.
             */
            parked_s: number;
            /**
             * Format: int64
             * @description The expected cost of the chance that they refuse.
             */
            refusal_s: number;
        };
        /**
         * @description The outcome for a mechanic in a decision: `offered` the job, `passed` over although they fit, or `unfit` for it.
         * @enum {string}
         */
        DispatchVerdict: "offered" | "passed" | "unfit";
        /** @description A dispute about a job, as its customer, its mechanic and admins see it. */
        Dispute: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            /** @description What people say about it, in their own words. */
            description: string;
            /** @description Files that show it, as completed uploads name them. */
            evidence_urls: string[];
            /** @description The price of the job when the dispute began. */
            final_price: components["schemas"]["Money"];
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
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description The reason for the decision. */
            note: string | null;
            opened_by: components["schemas"]["Party"];
            outcome: components["schemas"]["DisputeOutcome"] | null;
            price_after: components["schemas"]["Money"] | null;
            price_reduction: components["schemas"]["Money"] | null;
            reason_code: components["schemas"]["DisputeReason"];
            /** @description When the dispute was decided; null before. */
            resolved_at: components["schemas"]["Timestamp"] | null;
            settled_at: components["schemas"]["Timestamp"] | null;
            status: components["schemas"]["DisputeStatus"];
        };
        /** @description A dispute with the people on both sides, as only admins see it. */
        DisputeForAdmin: components["schemas"]["Dispute"] & components["schemas"]["CustomerContact"] & components["schemas"]["MechanicContact"];
        /**
         * @description The outcome of a dispute: the customer pays nothing, everything, or less than the price.
         * @enum {string}
         */
        DisputeOutcome: "customer" | "mechanic" | "split";
        /**
         * @description The reason for a dispute.
         * @enum {string}
         */
        DisputeReason: "work_not_done" | "poor_work" | "overcharged" | "wrong_items" | "damage" | "behaviour" | "not_paid" | "other";
        /** @description A statement of one side of a dispute. */
        DisputeStatement: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The dispute that the statement is about.
             */
            dispute_id: string;
            /** @description Files that show it, as completed uploads name them. */
            evidence_urls: string[];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            stated_by: components["schemas"]["Party"];
            /** @description What this side says about it. */
            statement: string;
        };
        /**
         * @description The status of a dispute: open or resolved.
         * @enum {string}
         */
        DisputeStatus: "open" | "resolved";
        /**
         * @description The status of a document.
         * @enum {string}
         */
        DocumentStatus: "pending" | "accepted" | "rejected";
        /**
         * @description The kind of a document (contract 2.7).
         * @enum {string}
         */
        DocumentType: "aadhaar" | "skill_cert" | "photo_id" | "other";
        /**
         * Format: email
         * @description An email address: one `@`, something on both sides, a dot in the domain, at most 254 characters, all of ASCII;
         *     stored in lower case.
         */
        Email: string;
        /** @description A code of six digits. */
        EmailCode: string;
        /** @description A code that is on its way. */
        EmailCodeSent: {
            /**
             * Format: email
             * @description The email address.
             */
            email: string;
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description The code itself, in development while no mail is sent; null otherwise. */
            otp: string | null;
            /** @description The time from which another code can be sent. */
            resend_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description Why a call is over.
         * @enum {string}
         */
        EndReason: "caller_hung_up" | "callee_hung_up" | "declined" | "no_answer" | "job_over" | "reassigned" | "max_length";
        /**
         * @description The kind of event that an entry books.
         * @enum {string}
         */
        EntryKind: "capture" | "cash" | "clear" | "dispute_hold" | "fee" | "fee_waived" | "refund" | "refund_paid" | "refund_undone" | "withdrawal_hold" | "withdrawal_paid" | "withdrawal_release" | "withdrawal_retaken" | "withdrawal_returned";
        /** @description The error envelope. */
        ErrorBody: {
            /** @description The error. */
            error: components["schemas"]["ErrorDetail"];
            /** @description Always false. */
            success: boolean;
        };
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
        /** @description The price of help, and how soon it could come. */
        Estimate: {
            /** @description How many mechanics are free for this job: 0 if the free ones are kept for other jobs; capped at 1,000. */
            available_mechanics: number;
            base_price: components["schemas"]["Money"];
            /** @description The parts of the price: base_price, travel_price and, with a destination, destination_price. */
            breakdown: components["schemas"]["PricePart"][];
            /** @description The currency of the amounts, as ISO 4217 writes it. */
            currency: string;
            destination: components["schemas"]["EstimatedDestination"] | null;
            /** @description The price of the way to the destination; 0 without one. */
            destination_price: components["schemas"]["Money"];
            estimated_price: components["schemas"]["Money"];
            /**
             * @description Minimum and maximum minutes until a mechanic arrives: the wait of `outlook`, and half as much again. Null without an
             *     expected wait.
             */
            eta_range_min: number[] | null;
            eta_source: components["schemas"]["EtaSource"] | null;
            /**
             * @description Whether no mechanic can come, and no mechanic of the service, online or not, was last seen within their reach of this
             *     place: a job here would find nobody, however long it waits.
             */
            is_outside_area: boolean;
            outlook: components["schemas"]["Outlook"] | null;
            travel_price: components["schemas"]["Money"];
            /** @description The amount that the customer owes for cancelled jobs. */
            unpaid_fees: components["schemas"]["Money"];
        };
        /** @description The distance over which a vehicle would be towed. */
        EstimatedDestination: {
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
            /** @description The source of distance and duration. */
            source: components["schemas"]["EtaSource"];
        };
        /** @description The details of a job whose price is asked. */
        EstimateRequest: {
            destination?: components["schemas"]["DestinationChoice"] | null;
            pickup_lat: components["schemas"]["Latitude"];
            pickup_lng: components["schemas"]["Longitude"];
            scheduled_for?: components["schemas"]["Timestamp"] | null;
            service_category_id: components["schemas"]["Id"];
            vehicle_id: components["schemas"]["Id"];
        };
        /** @description How long and how far the mechanic still has to go: to the pickup, and to the destination once the vehicle is loaded. */
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
        /** @description The subject of an event, as it was after the event; a payment, a message or a call as it is now. */
        EventData: components["schemas"]["Job"] | components["schemas"]["LineItem"] | components["schemas"]["Payment"] | components["schemas"]["Message"] | components["schemas"]["Call"];
        /** @description Everything that the service stores about a person. Each list has the form of the API, and is cut to its newest entries. */
        Export: {
            /** @description Calls as caller and as callee. */
            calls: components["schemas"]["Call"][];
            /** @description The privacy notices that the person agreed to, and those agreements that they withdrew. */
            consents: components["schemas"]["ConsentRecord"][];
            /** @description The statements of both sides in the disputes above. */
            dispute_statements: components["schemas"]["DisputeStatement"][];
            disputes: components["schemas"]["Dispute"][];
            /** @description The moment of which this is a snapshot. */
            exported_at: components["schemas"]["Timestamp"];
            /** @description Unpaid cancellation fees, the oldest first. */
            fees: components["schemas"]["UnpaidFee"][];
            /** @description The person's questions and complaints about their data, with the answers. */
            grievances: components["schemas"]["Grievance"][];
            /** @description The photos of the jobs above. */
            job_photos: components["schemas"]["JobPhoto"][];
            /** @description Jobs as customer and as mechanic, as that side sees them. */
            jobs: components["schemas"]["Job"][];
            last_position: components["schemas"]["KeptPoint"] | null;
            /** @description The line items of the jobs above. */
            line_items: components["schemas"]["LineItem"][];
            /** @description The mails of the last 30 days. */
            mails: components["schemas"]["MailRecord"][];
            mechanic_profile: components["schemas"]["OwnMechanicProfile"] | null;
            /** @description Why the mechanic's profile is suspended; null if it is not. */
            mechanic_suspension_reason: string | null;
            /** @description The person's messages about jobs, and other people's messages to them about jobs that they see. */
            messages: components["schemas"]["Message"][];
            /** @description The no-shows as customer and as the mechanic who reported them. */
            no_shows: components["schemas"]["NoShow"][];
            notification_preferences: components["schemas"]["Preferences"];
            notifications: components["schemas"]["Notification"][];
            /** @description Every offer to the mechanic, whatever its outcome. */
            offers: components["schemas"]["Offer"][];
            parked: components["schemas"]["ParkedAt"] | null;
            /** @description Payments as customer and as the mechanic who is paid. */
            payments: components["schemas"]["Payment"][];
            /** @description The mechanic's positions during the jobs below. */
            positions: components["schemas"]["KeptPoint"][];
            /** @description The devices, without their tokens. */
            push_devices: components["schemas"]["PushToken"][];
            ratings: components["schemas"]["ExportedRatings"];
            /** @description The refunds of the payments above. */
            refunds: components["schemas"]["PaymentRefund"][];
            /** @description The sessions that are still valid. */
            sessions: components["schemas"]["Session"][];
            /** @description The links, without their tokens. */
            share_links: components["schemas"]["ShareLink"][];
            /** @description Tows that an admin reviews, as customer and as the mechanic who handed the vehicle over. */
            tow_reviews: components["schemas"]["ReviewedTow"][];
            /** @description Apps that send a mechanic's positions while the screen is off. */
            trackers: components["schemas"]["Tracker"][];
            /** @description The names of the lists that were cut; `wallet.transactions` is a list within `wallet`. */
            truncated: string[];
            uploads: components["schemas"]["Upload"][];
            user: components["schemas"]["Me"];
            vehicles: components["schemas"]["Vehicle"][];
            wallet: components["schemas"]["ExportedWallet"] | null;
        };
        /** @description The ratings that a person gave and received. */
        ExportedRatings: {
            given: components["schemas"]["Rating"][];
            /** @description The ratings that the person may read. */
            received: components["schemas"]["Rating"][];
        };
        /** @description A mechanic's money. */
        ExportedWallet: {
            accounts: components["schemas"]["UpiAccount"][];
            balances: components["schemas"]["Wallet"];
            settlements: components["schemas"]["Settlement"][];
            transactions: components["schemas"]["WalletTransaction"][];
            withdrawals: components["schemas"]["Withdrawal"][];
        };
        /** @description A push that failed permanently. Its text is not shown, because it is for the recipient alone. */
        FailedPush: {
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempts: number;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            failed_at: components["schemas"]["Timestamp"] | null;
            /** @description Why it failed; null if it did not. */
            failure: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            type: components["schemas"]["Kind"];
            /**
             * Format: uuid
             * @description The account of the person whose it is.
             */
            user_id: string;
        };
        /**
         * @description The figures of a period: each event counts on the day on which it happened, so a job may be made on one day and completed on
         *     the next.
         */
        Figures: {
            /**
             * Format: double
             * @description The share of accepted offers among those that were answered or expired, 0 to 1; null if there were none.
             */
            acceptance_rate: number | null;
            /** @description The commission on the revenue, before refunds. */
            commission: components["schemas"]["Money"];
            /**
             * Format: int64
             * @description Jobs that were cancelled in this time.
             */
            jobs_cancelled: number;
            /**
             * Format: int64
             * @description Jobs that were completed in this time.
             */
            jobs_completed: number;
            /**
             * Format: int64
             * @description Jobs that were made in this time.
             */
            jobs_made: number;
            /**
             * Format: int64
             * @description Jobs for which no mechanic was found, then or later.
             */
            jobs_unserved: number;
            /**
             * Format: int64
             * @description Offers that were accepted in this time.
             */
            offers_accepted: number;
            /**
             * Format: int64
             * @description Offers that were declined in this time.
             */
            offers_declined: number;
            /**
             * Format: int64
             * @description Offers that nobody answered in this time.
             */
            offers_expired: number;
            /** @description The part of that revenue that has been given back so far. */
            refunded: components["schemas"]["Money"];
            /** @description The amount that customers paid for jobs and in fees, cash included, before refunds. */
            revenue: components["schemas"]["Money"];
            /** @description The tax on the revenue, before refunds. */
            tax: components["schemas"]["Money"];
        };
        /**
         * @description The content type of a file.
         * @enum {string}
         */
        FileKind: "image/jpeg" | "image/png" | "image/webp" | "image/heic" | "application/pdf";
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
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /**
             * Format: double
             * @description Of a side; the same for all cells of an answer.
             */
            size_degrees: number;
        };
        FleetCounts: {
            /**
             * Format: int32
             * @description Jobs with a mechanic.
             */
            active_jobs: number;
            /**
             * Format: int32
             * @description Mechanics who are online and have a job or an offer.
             */
            busy: number;
            /**
             * Format: int32
             * @description Mechanics who are online without a job or an offer.
             */
            free: number;
            /**
             * Format: int32
             * @description Jobs without a mechanic.
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
             */
            omitted_jobs: number;
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
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
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
            /** @description The vehicle's number plate. */
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
        /** @description Open jobs and mechanics everywhere. Every display of such a number uses these totals. */
        FleetTotals: {
            /**
             * Format: int64
             * @description Jobs with a mechanic.
             */
            active_jobs: number;
            /**
             * Format: int64
             * @description Open jobs on whose way something is wrong, or whose mechanic is late: by more than two minutes, or a fifth of the
             *     promised time if that is longer.
             */
            concerns: number;
            /**
             * Format: int64
             * @description The online mechanics without a job or an offer; null if the engine does not answer in time.
             */
            free: number | null;
            /**
             * Format: int64
             * @description Mechanics who are online; null if the engine does not answer in time.
             */
            online: number | null;
            /**
             * Format: int64
             * @description Jobs without a mechanic whose search has begun and goes on.
             */
            waiting_jobs: number;
        };
        /** @description The mechanics who are online in a box, and the open jobs there: one by one, or counted in cells. */
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
        /** @description Cancellations that are free because they come soon after the acceptance. */
        FreeCancellations: {
            /**
             * Format: int64
             * @description The number of days for which a cancellation counts.
             */
            days: number;
            /**
             * Format: int32
             * @description How many are left, including this cancellation if it is one of them.
             */
            left: number;
            /**
             * Format: int32
             * @description The number of free cancellations in the period.
             */
            most: number;
        };
        /**
         * @description The vehicle's fuel, so that the mechanic brings the right fuel or cable.
         * @enum {string}
         */
        FuelType: "petrol" | "diesel" | "cng" | "lpg" | "electric" | "hybrid" | "other";
        /** @description The caller's consent: they have read this version in this language, and agree to it. */
        GivenConsent: {
            /** @description A language in which the version is written. */
            language: components["schemas"]["NoticeLanguage"];
            /** @description The number of the version; the newest has the highest. */
            version: components["schemas"]["Whole1To1000000000"];
        };
        /** @description A grievance, as its person sees it. */
        Grievance: {
            /** @description Null until it is answered. */
            answer: string | null;
            /** @description When it was answered; null if it was not. */
            answered_at: components["schemas"]["Timestamp"] | null;
            contact: components["schemas"]["PrivacyContact"] | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The time by which it will be answered. */
            due_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            kind: components["schemas"]["GrievanceKind"];
            status: components["schemas"]["GrievanceStatus"];
            /** @description The text in the person's words. */
            text: string | null;
        };
        /** @description An answer to a grievance. */
        GrievanceAnswer: {
            /** @description What is answered; null before. */
            answer: components["schemas"]["Text1To4000"];
        };
        /** @description A grievance in the admins' list, without its text. */
        GrievanceEntry: {
            /**
             * Format: uuid
             * @description The admin who answered; null if nobody did.
             */
            answered_by: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            done_at: components["schemas"]["Timestamp"] | null;
            /** @description The time by which it has to be answered. */
            due_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            kind: components["schemas"]["GrievanceKind"];
            status: components["schemas"]["GrievanceStatus"];
            /**
             * Format: uuid
             * @description The person who wrote it.
             */
            user_id: string;
        };
        /**
         * @description The subject of a grievance: access to one's data, a correction, a deletion, or a consent.
         * @enum {string}
         */
        GrievanceKind: "access" | "correction" | "erasure" | "consent" | "other";
        /**
         * @description The state of a grievance. It is closed if its account was deleted before anybody answered.
         * @enum {string}
         */
        GrievanceStatus: "open" | "answered" | "closed";
        /**
         * @description The kind of a guest's message.
         * @enum {string}
         */
        GuestMessageType: "text" | "location";
        /** @description One server-sent event to the holder of a link. */
        GuestStreamEvent: {
            /** @description The data as JSON: a SharedCall for `call.ringing`, a Signal for `call.signal`, else `{}`. */
            data: string;
            /**
             * @description `changed`: the job, its chat or its call has changed; load it again. `call.ringing`: the mechanic is calling,
             *     or the holder's own call is ringing. `call.signal`: a signal of the mechanic's device. `ended`: the link no
             *     longer shows anything.
             */
            event: string;
        };
        /**
         * Format: double
         * @description The direction in degrees clockwise from north; -1 if unknown.
         */
        Heading: number;
        /** @description The answer of a process that is alive. */
        Health: {
            /** @description The version of the program, `x-service-version` in the document. */
            service_version: string;
            /** @description Always "ok". */
            status: string;
            /** @description The version of the interface, as in the OpenAPI document. */
            version: string;
        };
        /** @description A cell, and the jobs whose pickup is in it. */
        HeatCell: {
            /**
             * Format: int32
             * @description Jobs of these at which a mechanic arrived.
             */
            arrived: number;
            /** @description The cell's index in H3. */
            cell: string;
            /**
             * Format: int32
             * @description What is counted or chosen of jobs.
             */
            jobs: number;
            /**
             * Format: double
             * @description The cell's centre, in degrees north (WGS 84).
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /**
             * Format: double
             * @description The median time to these arrivals from the beginning of the search; null if there were none.
             */
            median_minutes_to_arrival: number | null;
            /**
             * @description The cell's outline, as in a polygon of GeoJSON: longitude and latitude, counter-clockwise, the first point again at the
             *     end. At the date line, longitudes continue beyond 180.
             */
            ring: number[][];
            /**
             * Format: double
             * @description The share of jobs that ended without a mechanic, 0 to 1.
             */
            unserved_share: number;
        };
        /** @description Demand and waiting times by cells. */
        HeatMap: {
            /** @description The cells with a job, at most 2,000, in the order of their indexes. */
            cells: components["schemas"]["HeatCell"][];
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: int32
             * @description The hour of the day; null for the whole day.
             */
            hour: number | null;
            /**
             * Format: int32
             * @description The number of jobs in all cells.
             */
            jobs: number;
            /**
             * Format: int32
             * @description The resolution of H3: 8 has cells of about 0.7 km², and each finer one cells of a seventh of that.
             */
            resolution: number;
            /** @description The zone of the days and the hour, by its name in the IANA database. */
            time_zone: string;
            /**
             * Format: date
             * @description The last day, included.
             */
            to: string;
        };
        /**
         * @description Why an admin hides a rating.
         * @enum {string}
         */
        HiddenReason: "abusive" | "personal_data" | "off_topic" | "fraud" | "other";
        /** @description The outcomes of jobs that were held back, since the server started. */
        HoldFigures: {
            /**
             * Format: int64
             * @description Holds whose job was served in time anyway.
             */
            free: number;
            /**
             * Format: int64
             * @description Holds after which the mechanic took other work within the time saved.
             */
            justified: number;
            /**
             * Format: int64
             * @description Holds without an outcome so far.
             */
            open: number;
            /**
             * Format: int64
             * @description Holds with neither outcome.
             */
            wasted: number;
        };
        /** @description A server by which two phones find a path to each other, like WebRTC's `RTCIceServer`. */
        IceServer: {
            /** @description The password for the relay; null for a server that asks for none. */
            credential: string | null;
            /** @description The addresses of the server. */
            urls: string[];
            /** @description The name for the relay; null for a server that asks for none. */
            username: string | null;
        };
        /**
         * Format: uuid
         * @description An id in a body.
         */
        Id: string;
        /** @description An account of the embedded identity provider. */
        IdentityAccount: {
            /**
             * Format: email
             * @description The invited address. It counts as verified: the token was handed to its owner.
             */
            email: string;
        };
        /** @description The provider's metadata (OpenID Connect Discovery 1.0, section 3), as far as it applies. */
        IdentityConfiguration: {
            /** @description The claims of an ID token. */
            claims_supported: string[];
            /** @description The algorithms with which ID tokens are signed. */
            id_token_signing_alg_values_supported: string[];
            /** @description The `iss` of ID tokens. */
            issuer: string;
            /** @description The address of the keys. */
            jwks_uri: string;
            /** @description The types of answers to an authorization. */
            response_types_supported: string[];
            /** @description The way in which the `sub` of an ID token is made. */
            subject_types_supported: string[];
            /** @description The address where ID tokens are issued. */
            token_endpoint: string;
        };
        /** @description Published keys (RFC 7517). */
        IdentityKeys: {
            /** @description The public keys, as RFC 7517 writes them. */
            keys: Record<string, never>[];
        };
        /** @description The identity of the person who signed in, signed by the identity provider. */
        IdToken: {
            /** @description The token for the next sign-in on this device with this email. It signs nobody in; keep it when signing out. */
            deviceToken: string;
            /** @description The token for POST /auth/admin-login. */
            idToken: string;
        };
        /** @description An invitation. */
        Invite: {
            /** @description When it was accepted; null if it was not. */
            accepted_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @description The account that the acceptance made or changed.
             */
            accepted_by: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The desks that the new admin will have. */
            desks: components["schemas"]["Desk"][];
            /**
             * Format: email
             * @description The email address.
             */
            email: string;
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The super-admin who invited; null for the command line.
             */
            invited_by: string | null;
            /** @description When it was revoked; null if it was not. */
            revoked_at: components["schemas"]["Timestamp"] | null;
            role: components["schemas"]["AdminRole"];
            status: components["schemas"]["InviteStatus"];
        };
        /**
         * @description The status of an invitation. All but pending are final.
         * @enum {string}
         */
        InviteStatus: "pending" | "accepted" | "expired" | "revoked";
        /** @description The place to which a vehicle would be towed. */
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
        /** @description A job (contract 2.3). Every field is always present; it is null if it is empty or not meant for this reader. */
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
            /** @description The currency of all amounts. */
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
        /** @description The customer's request to be called, as the customer and admins see it with the job. */
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
        /** @description The people whom the mechanic contacts, and the ways to do so. */
        JobContact: {
            /** @description The people to contact, according to `contact_preference`; the person with the vehicle comes first. */
            people: components["schemas"]["ContactPerson"][];
            /** @description The ways in the app, from acceptance on. After the end of the work each way is left out once it is closed. */
            ways: components["schemas"]["ContactWay"][];
        };
        /** @description The changes to a job; fields that are left out stay as they are. */
        JobCorrection: {
            /** @description The name of the person at the vehicle, if that is not the customer. */
            beneficiary_name?: components["schemas"]["NameOf100"] | null;
            beneficiary_phone?: components["schemas"]["Phone"] | null;
            /** @description Every value except booker requires a `beneficiary_phone`. */
            contact_preference?: components["schemas"]["ContactPreference"];
            /** @description What people say about it, in their own words. */
            description?: components["schemas"]["Text1To2000"] | null;
            photo_urls?: components["schemas"]["FileUrl"][];
            /** @description Where the vehicle stands, in words. */
            pickup_address?: components["schemas"]["Text1To500"];
            /** @description Requires `pickup_lng`. The new place must be within `jobs.correction_radius_m` of the original pickup. */
            pickup_lat?: components["schemas"]["Latitude"];
            pickup_lng?: components["schemas"]["Longitude"];
            quoted_price?: components["schemas"]["Money"] | null;
            scheduled_for?: components["schemas"]["Timestamp"] | null;
        };
        /** @description The vehicle's destination. */
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
        /** @description Events of a job, in order. */
        JobEvents: {
            data: components["schemas"]["JobEventView"][];
            /**
             * Format: int64
             * @description The last event of the job; greater than the last of `data` if another page follows.
             */
            last_seq: number;
        };
        /**
         * @description The type of an event's frame: the subject of the event.
         * @enum {string}
         */
        JobEventType: "job.updated" | "line_item.updated" | "payment.updated" | "chat.message" | "call.updated";
        /** @description One event of a job, as the socket shows it. */
        JobEventView: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            data: components["schemas"]["EventData"];
            /**
             * Format: int64
             * @description The event's number; they count from 1 without gaps.
             */
            seq: number;
            type: components["schemas"]["JobEventType"];
        };
        /** @description A job with the people on it, as only admins see them. */
        JobForAdmin: components["schemas"]["Job"] & components["schemas"]["CustomerContact"] & components["schemas"]["MechanicContact"];
        /** @description The number of jobs that a customer may have open at once. */
        JobLimit: {
            max_open_jobs?: components["schemas"]["Whole1To1000"] | null;
        };
        /** @description The last known position of a job's mechanic. Both fields are null before acceptance and from completion on. */
        JobLocation: {
            eta: components["schemas"]["Eta"] | null;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            location: components["schemas"]["Location"] | null;
        };
        /** @description A photo of a job, with the job's id. */
        JobPhoto: components["schemas"]["Photo"] & {
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
        };
        /**
         * @description The ratings of the two sides of a job. A side always sees its own rating. It sees the other's once both have rated or the time
         *     for rating is over, and never a hidden one.
         */
        JobRatings: {
            by_customer: components["schemas"]["Rating"] | null;
            by_mechanic: components["schemas"]["Rating"] | null;
            /** @description Whether each side sees the other's rating. */
            is_revealed: boolean;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            ratable_until: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Contract 3.1.
         * @enum {string}
         */
        JobStatus: "pending" | "dispatching" | "accepted" | "en_route" | "arrived" | "in_progress" | "completed" | "paid" | "cancelled" | "no_mechanic_found" | "disputed" | "resolved";
        /** @description Why no new jobs are taken, and since when. */
        JobStop: {
            ends_at: components["schemas"]["Timestamp"] | null;
            /** @description The text that customers read. */
            message: string;
            /** @description When the stop was set. */
            set_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The admin who set the stop.
             */
            set_by: string;
            /** @description The name of the admin who set the stop; null if they gave no name. */
            set_by_name: string | null;
        };
        /** @description A stop of new jobs. */
        JobStopConfig: {
            ends_at: components["schemas"]["Timestamp"] | null;
            /** @description The message in the operator's words. */
            message: string;
        };
        /** @description Whether new jobs are taken. */
        JobStopState: {
            stop: components["schemas"]["JobStop"] | null;
        };
        /** @description One server-sent event, field by field. `data` is the text of a JSON frame, as a socket gets it. */
        JobStreamEvent: {
            /** @description What is in the list, or what the event is about. */
            data: string;
            /** @description The frame's `type`. */
            event: string;
            /** @description The frame's `seq`; absent if the frame has none. */
            id?: string;
        };
        /** @description The vehicle as it was when the job was created; readable even after the vehicle is deleted. */
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
        /** @description A stored point of a mechanic, in the mechanic's own export of their data. */
        KeptPoint: {
            /**
             * Format: double
             * @description By how many metres the position may be wrong; null if unknown.
             */
            accuracy_m: number | null;
            /**
             * Format: double
             * @description The direction of travel in degrees from north, clockwise; null if unknown.
             */
            heading: number | null;
            /**
             * Format: uuid
             * @description The job; null for the last known position, which is also stored while the mechanic has no job.
             */
            job_id: string | null;
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
            /** @description The time of the point, corrected for the phone's clock. */
            recorded_at: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description The speed in metres a second; null if unknown.
             */
            speed_mps: number | null;
        };
        /**
         * @description The subject of a notification.
         * @enum {string}
         */
        Kind: "job_offer" | "job_created" | "job_assigned" | "job_accepted" | "job_corrected" | "job_en_route" | "job_delayed" | "job_near" | "job_arrived" | "job_started" | "job_loaded" | "job_interrupted" | "job_needs_admin" | "job_completed" | "job_paid" | "job_cancelled" | "no_show_reported" | "no_show_contested" | "no_show_decided" | "tow_decided" | "job_released" | "job_reassigned" | "job_silent" | "job_lost_by_silence" | "no_mechanic_found" | "search_long" | "search_unserved" | "search_shorter" | "line_item_proposed" | "line_item_approved" | "line_item_rejected" | "payment_captured" | "payment_failed" | "surplus_returned" | "refund_processed" | "refund_failed" | "dispute_opened" | "dispute_statement" | "dispute_paid" | "dispute_resolved" | "mechanic_verified" | "mechanic_rejected" | "mechanic_suspended" | "mechanic_reinstated" | "mechanic_change_approved" | "mechanic_change_rejected" | "grievance_answered" | "upi_verified" | "upi_name_mismatch" | "upi_invalid" | "upi_approved" | "upi_rejected" | "withdrawal_paid" | "withdrawal_failed" | "withdrawal_reversed" | "rating_received" | "chat_message" | "call_incoming" | "call_missed" | "callback_not_reached" | "parking_over" | "parking_left" | "parking_unanswered";
        /** @description A language tag: subtags of letters and digits, the first of 2 or 3 letters (BCP 47), at most 35 characters. */
        Language: string;
        /**
         * Format: double
         * @description Degrees north, -90 to 90.
         */
        Latitude: number;
        /** @enum {string} */
        LeaveReason: "vehicle_trouble" | "cannot_reach" | "missing_parts" | "wrong_skill" | "personal" | "other" | "silent" | "stalled" | "moving_away" | "late" | "reassigned";
        Line: {
            /** @description The points' longitude and latitude, in this order (RFC 7946, 3.1.1), in the order of the trail. */
            coordinates: number[][];
            /** @description Always LineString. */
            type: string;
        };
        /** @description An item of the job's price beyond base and travel. The customer, the mechanic and admins see the same. */
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
         * @description The person to whom an admin has a link sent.
         * @enum {string}
         */
        LinkRecipient: "customer" | "beneficiary";
        /** @description A whole list: `{data}`. */
        List_AssignmentCandidate: {
            data: components["schemas"]["AssignmentCandidate"][];
        };
        /** @description A whole list: `{data}`. */
        List_DisputeStatement: {
            data: components["schemas"]["DisputeStatement"][];
        };
        /** @description A whole list: `{data}`. */
        List_LineItem: {
            data: components["schemas"]["LineItem"][];
        };
        /** @description A whole list: `{data}`. */
        List_LostJob: {
            data: components["schemas"]["LostJob"][];
        };
        /** @description A whole list: `{data}`. */
        List_MechanicDocument: {
            /** @description What is in the list, or what the event is about. */
            data: components["schemas"]["MechanicDocument"][];
        };
        /** @description A whole list: `{data}`. */
        List_NearWorkshop: {
            data: components["schemas"]["NearWorkshop"][];
        };
        /** @description A whole list: `{data}`. */
        List_Offer: {
            data: components["schemas"]["Offer"][];
        };
        /** @description A whole list: `{data}`. */
        List_OfferPhoto: {
            data: components["schemas"]["OfferPhoto"][];
        };
        /** @description A whole list: `{data}`. */
        List_PaymentRefund: {
            data: components["schemas"]["PaymentRefund"][];
        };
        /** @description A whole list: `{data}`. */
        List_Photo: {
            /** @description What is in the list, or what the event is about. */
            data: components["schemas"]["Photo"][];
        };
        /** @description A whole list: `{data}`. */
        List_PushToken: {
            data: components["schemas"]["PushToken"][];
        };
        /** @description A whole list: `{data}`. */
        List_ServiceCategory: {
            data: components["schemas"]["ServiceCategory"][];
        };
        /** @description A whole list: `{data}`. */
        List_ShareLink: {
            data: components["schemas"]["ShareLink"][];
        };
        /** @description A whole list: `{data}`. */
        List_TestedDevice: {
            data: components["schemas"]["TestedDevice"][];
        };
        /** @description A whole list: `{data}`. */
        List_TimelineEntry: {
            data: components["schemas"]["TimelineEntry"][];
        };
        /** @description A whole list: `{data}`. */
        List_UnpaidFee: {
            data: components["schemas"]["UnpaidFee"][];
        };
        /** @description A whole list: `{data}`. */
        List_UpiAccount: {
            data: components["schemas"]["UpiAccount"][];
        };
        /** @description A whole list: `{data}`. */
        List_Vehicle: {
            data: components["schemas"]["Vehicle"][];
        };
        /** @description A grievance in the list, with the person who wrote it. */
        ListedGrievance: components["schemas"]["GrievanceEntry"] & components["schemas"]["CustomerContact"];
        /**
         * @description The format in which a list is answered: a page of it, or all of it as CSV.
         * @enum {string}
         */
        ListFormat: "json" | "csv";
        /**
         * @description The role in which the caller's jobs are listed.
         * @enum {string}
         */
        ListRole: "customer" | "mechanic";
        /** @description The state of the service now. */
        Live: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            engine: components["schemas"]["LiveEngine"];
            /** @description The totals of the whole service, as the map of admins counts them. */
            everywhere: components["schemas"]["FleetTotals"];
            /** @description Open jobs, and those that found no mechanic and may be tried again, by status; a status without jobs is left out. */
            jobs: components["schemas"]["OpenJobs"][];
            /**
             * Format: int64
             * @description Jobs whose mechanic has a problem on the way or should have arrived: `everywhere.concerns`.
             */
            jobs_with_a_concern: number;
            mechanics: components["schemas"]["LiveMechanics"];
            queues: components["schemas"]["LiveQueues"];
            /**
             * Format: int64
             * @description Open WebSockets.
             */
            sockets: number;
            waiting: components["schemas"]["Waiting"];
        };
        /** @description Figures of the engine; null if it does not answer in time. */
        LiveEngine: {
            /** @description Whether the engine answers. */
            is_answering: boolean;
            /**
             * Format: int64
             * @description Jobs that the engine has in memory.
             */
            job_actors: number | null;
            /**
             * Format: int64
             * @description Mechanics whom the engine has in memory.
             */
            mechanic_actors: number | null;
            /**
             * Format: int64
             * @description Jobs that need an offer now.
             */
            waiting_jobs: number | null;
        };
        /** @description Mechanics at this moment. */
        LiveMechanics: {
            /**
             * Format: int64
             * @description Verified mechanics who want offers.
             */
            available: number;
            /**
             * Format: int64
             * @description Online mechanics who are neither on a job nor being offered one; null where the engine does not answer.
             */
            free: number | null;
            /**
             * Format: int64
             * @description Mechanics to whom a job is being offered.
             */
            offered: number;
            /**
             * Format: int64
             * @description Mechanics who are on a job now.
             */
            on_a_job: number;
            /**
             * Format: int64
             * @description Mechanics whom the dispatcher knows with a position; null where the engine does not answer.
             */
            online: number | null;
        };
        /** @description The data that waits to be written, in this process. */
        LiveQueues: {
            /**
             * Format: int64
             * @description Decisions of the dispatcher that wait to be recorded.
             */
            decisions: number;
            /**
             * Format: int64
             * @description Positions that wait to be stored.
             */
            trail_points: number;
        };
        /** @description Photos of the vehicle on the truck. */
        LoadVehicle: {
            photo_urls: components["schemas"]["FileUrl"][];
        };
        /** @description The assigned mechanic's position, and its age. */
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
        /** @description The outcome for the points of a message. `accepted` and `duplicates` are stored, `rejected` are not. */
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
        /** @description The filter of one server's log. */
        LogFilter: {
            /** @description The present filter. */
            filter: string;
            /**
             * Format: uuid
             * @description The server that answered: the other servers of a cluster have their own filters.
             */
            server_id: string;
            until: components["schemas"]["Timestamp"] | null;
            /** @description The filter of the settings (`log.filter`), which applies afterwards and after a restart. */
            usual_filter: string;
        };
        Logout: {
            /** @description Ends every session of the caller. */
            allDevices?: boolean | null;
            refreshToken?: components["schemas"]["TokenText"] | null;
        };
        /**
         * Format: double
         * @description Degrees east, -180 to 180.
         */
        Longitude: number;
        /**
         * @description A job that the caller lost because nothing came from their phone, and that nobody else has taken. It shows no more than an
         *     offer.
         */
        LostJob: {
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /** @description When the job was lost. */
            left_at: components["schemas"]["Timestamp"];
            /** @description The name of the kind of help. */
            service_category_name: string;
            /** @description A name of the kind of help that stays the same, for programs. */
            service_category_slug: string;
            /** @description Who made the vehicle; empty if nobody has said it. */
            vehicle_make: string;
            /** @description The vehicle's model; empty if nobody has said it. */
            vehicle_model: string;
            vehicle_type: components["schemas"]["VehicleType"];
        };
        /**
         * @description The subject of a mail.
         * @enum {string}
         */
        MailKind: "invitation" | "email_code" | "receipt" | "report";
        /**
         * @description The outcome of a test mail.
         * @enum {string}
         */
        MailOutcome: "taken" | "refused" | "not_now" | "unknown" | "not_sent";
        /** @description A mail to the person, while its row is kept. Its text is never stored. */
        MailRecord: {
            /**
             * Format: email
             * @description The address in words.
             */
            address: string;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            kind: components["schemas"]["MailKind"];
            status: components["schemas"]["MailStatus"];
        };
        /**
         * @description The state of a mail.
         * @enum {string}
         */
        MailStatus: "pending" | "sent" | "failed" | "skipped";
        /** @description The mail server's answer to a test mail. */
        MailTest: {
            outcome: components["schemas"]["MailOutcome"];
            /** @description The step and the status, never the server's words; null if it took the mail. */
            reason: string | null;
        };
        MapCenter: {
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
        };
        /** @description The beginning of a map, and its streets. */
        MapConfig: {
            /** @description A PMTiles archive of vector tiles in the OpenMapTiles schema; null if the service has none. A path on this server. */
            basemap_url: string | null;
            /** @description The longitude and latitude at which a map begins. */
            center: components["schemas"]["MapCenter"];
            /**
             * Format: double
             * @description The zoom with which a map begins.
             */
            zoom: number;
        };
        /** @description The proof that a refund was paid by hand. */
        MarkRefundPaid: {
            /** @description The bank's reference, or whatever else proves the refund. */
            reference: components["schemas"]["Text1To100"];
        };
        MarkSettlementPaid: {
            /** @description The reference by which the payment is found at the bank. */
            reference: components["schemas"]["Text1To100"];
        };
        MarkWithdrawalFailed: {
            /** @description The reason why it was not paid; the mechanic reads it. */
            reason: components["schemas"]["Text3To300"];
        };
        MarkWithdrawalPaid: {
            /** @description The reference by which the payment is found at the bank; the mechanic reads it. */
            reference: components["schemas"]["Text1To100"];
        };
        /** @description The caller's own account. */
        Me: components["schemas"]["User"] & {
            /**
             * @description The desks of an admin; empty for everybody else. A request that needs another desk is refused with 403
             *     DESK_NEEDED.
             */
            desks: components["schemas"]["Desk"][];
            /**
             * @description Whether the person has confirmed `email` as their own (`POST /users/me/email`): receipts go to no other
             *     address.
             */
            email_verified: boolean;
            /** @description A BCP 47 tag. */
            language: string;
            /**
             * Format: uuid
             * @description The mechanic's profile, if the person is a mechanic.
             */
            mechanic_profile_id: string | null;
        };
        /** @description The public part of a verified mechanic's profile, for anyone who is signed in. */
        MechanicCard: {
            /** @description The person's picture; null if they have none. */
            avatar_url: string | null;
            /**
             * Format: double
             * @description The average rating; 0 before the first one.
             */
            avg_rating: number;
            /** @description The first word of the person's name; null if they gave none. */
            first_name: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description When the mechanic registered. */
            member_since: components["schemas"]["Timestamp"];
            /** @description The kinds of help. */
            service_category_ids: string[];
            /**
             * Format: int32
             * @description The number of completed jobs.
             */
            total_jobs: number;
            /**
             * Format: int32
             * @description How many ratings the average is of.
             */
            total_ratings: number;
            vehicle_types: components["schemas"]["VehicleType"][];
        };
        /** @description A change that a mechanic asks for, next to what they serve now, for the admin who decides. */
        MechanicChange: {
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description The mechanic's name; null if they gave none. */
            mechanic_name: string | null;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description When it was asked for. */
            requested_at: components["schemas"]["Timestamp"];
            /** @description The kinds of help that the mechanic offers until the change is approved. */
            served_service_category_ids: string[];
            /** @description The vehicle types that they serve now. */
            served_vehicle_types: components["schemas"]["VehicleType"][];
            /** @description The kinds of help. */
            service_category_ids: string[];
            /** @description The vehicle types that they would serve instead. */
            vehicle_types: components["schemas"]["VehicleType"][];
        };
        /** @description The mechanic's contact data, as only admins read it; null if there is no mechanic, or once they have left. */
        MechanicContact: {
            /** @description The mechanic's name; null if they gave none. */
            mechanic_name: string | null;
            /** @description The mechanic's phone number; null if their account has none. */
            mechanic_phone: string | null;
        };
        MechanicDocument: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Where the file is, as other requests take it. It opens only by a link of its own. */
            file_url: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            status: components["schemas"]["DocumentStatus"];
            type: components["schemas"]["DocumentType"];
        };
        /** @description A profile as admins see it: the fields of MechanicProfile, the person, and their documents. */
        MechanicForAdmin: {
            /** @description The status of the account. A mechanic whose account is suspended serves nobody, verified or not. */
            account_status: components["schemas"]["UserStatus"];
            /**
             * Format: double
             * @description The average rating; 0 before the first one.
             */
            avg_rating: number;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The documents; null in lists, which leave them out. */
            documents: components["schemas"]["MechanicDocument"][] | null;
            /** @description Whether a change to what they serve waits for an admin. */
            has_pending_change: boolean;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the mechanic wants jobs. */
            is_available: boolean;
            /** @description The name, as people read it. */
            name: string | null;
            parked_until: components["schemas"]["Timestamp"] | null;
            /** @description The phone number in E.164, such as +919876543210. */
            phone: string | null;
            /** @description Why it was rejected, in the admin's words; null if it was not. */
            rejection_reason: string | null;
            /** @description The kinds of help. */
            service_category_ids: string[];
            /**
             * Format: int32
             * @description How far away, in kilometres, the mechanic takes jobs.
             */
            service_radius_km: number;
            status: components["schemas"]["MechanicStatus"];
            /** @description Why the account is suspended, in the admin's words; null if it is not. */
            suspension_reason: string | null;
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
            /** @description The name that an admin verified with the documents; null until then. */
            verified_name: string | null;
        };
        /** @description Why and when the last mechanic of a job left it. */
        MechanicLeft: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            reason: components["schemas"]["LeaveReason"];
        };
        /** @description A mechanic's profile (contract 2.2). */
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
        /** @description A customer's rating of a mechanic, as everybody who is signed in sees it. */
        MechanicRating: {
            /** @description What the rater wrote; null if nothing. */
            comment: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The customer's first name; null if they have no name, or deleted their account. */
            first_name: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: int32
             * @description From 1, bad, to 5, good.
             */
            score: number;
            tags: components["schemas"]["RatingTag"][];
        };
        /** @description A mechanic's figures in a period. */
        MechanicStats: {
            /**
             * Format: double
             * @description The share of accepted offers among those that the mechanic could answer (accepted, declined, expired), 0 to 1; null if
             *     there were none.
             */
            acceptance_rate: number | null;
            /**
             * Format: double
             * @description The average of the ratings given in the period that the mechanic may read; null if there are none.
             */
            avg_rating: number | null;
            /** @description The commission on the gross, before refunds. */
            commission: components["schemas"]["Money"];
            /** @description The unit of all amounts. */
            currency: string;
            /**
             * Format: int64
             * @description The straight-line metres of the trips to customers whose time and place are known (`trips`).
             */
            driven_m: number;
            /**
             * Format: int64
             * @description The duration of those trips, in seconds.
             */
            driving_s: number;
            /** @description The mechanic's shares of what was paid and not refunded, including cash. */
            earnings: components["schemas"]["Money"];
            /** @description The beginning. */
            from: components["schemas"]["Timestamp"];
            /** @description The amount that customers paid, including cash. */
            gross: components["schemas"]["Money"];
            /**
             * Format: int64
             * @description The number of jobs that the customer or an admin cancelled after the mechanic had accepted.
             */
            jobs_cancelled: number;
            /**
             * Format: int64
             * @description Jobs that were completed in this time.
             */
            jobs_completed: number;
            /**
             * Format: int64
             * @description The number of jobs that the mechanic gave back, or that were taken from them.
             */
            jobs_released: number;
            /**
             * Format: int64
             * @description Offers that were accepted in this time.
             */
            offers_accepted: number;
            /**
             * Format: int64
             * @description Offers that were declined in this time.
             */
            offers_declined: number;
            /**
             * Format: int64
             * @description Offers that nobody answered in this time.
             */
            offers_expired: number;
            /**
             * Format: int64
             * @description The number of offers made in the period, whatever their outcome.
             */
            offers_received: number;
            /**
             * Format: int64
             * @description The number of offers taken back because another mechanic was faster or the customer cancelled.
             */
            offers_revoked: number;
            /**
             * Format: int64
             * @description The number of ratings in the period.
             */
            ratings: number;
            /** @description The part of the gross that was refunded to customers so far. */
            refunds: components["schemas"]["Money"];
            /** @description The earnings of the period in steps of `step_s`, for a chart; empty without `step_s`. */
            steps: components["schemas"]["StatsStep"][];
            /** @description The tax on the gross, before refunds. */
            tax: components["schemas"]["Money"];
            /** @description The first moment after the period. */
            to: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The number of those trips.
             */
            trips: number;
            /**
             * Format: int64
             * @description The time from start to completion of the completed jobs, in seconds.
             */
            working_s: number;
        };
        /**
         * @description The status of a mechanic's profile (contract 3.2).
         * @enum {string}
         */
        MechanicStatus: "pending_verification" | "verified" | "rejected" | "suspended";
        /** @description The name under which an admin verifies a mechanic. */
        MechanicVerification: {
            verified_name?: components["schemas"]["NameOf100"] | null;
        };
        /** @description A message in its current state. */
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
        /** @description Whether the caller waits somewhere. */
        MyParking: {
            parked: components["schemas"]["ParkedAt"] | null;
        };
        /** @description The caller's advice. */
        MyWaitingAdvice: {
            advice: components["schemas"]["WaitingAdvice"] | null;
        };
        NameOf40: string;
        NameOf100: string;
        NameOf120: string;
        /** @description Whether another app shows the mechanic the way from now on. */
        Navigating: {
            /** @description False if the mechanic is back in this app. True if left out. */
            is_elsewhere?: boolean | null;
        };
        /**
         * @description The mechanics who could help at a place now, without revealing who they are or exactly where. Everything is computed as if
         *     each mechanic were in the middle of their cell of a fixed 200 m grid, so that asking from many places reveals no more than the
         *     cell.
         */
        NearbyMechanics: {
            /**
             * Format: int32
             * @description The number of mechanics, capped at 1,000.
             */
            count: number;
            eta_source: components["schemas"]["EtaSource"] | null;
            /**
             * Format: int32
             * @description The seconds until the nearest could be there, in whole minutes rounded up (a multiple of 60); null if there is none.
             */
            nearest_eta_s: number | null;
            /** @description The centres of the cells that contain a mechanic; at most those of the nearest 50. */
            positions: components["schemas"]["Position"][];
        };
        /** @description A workshop and its distance. */
        NearWorkshop: {
            /** @description The address in words. */
            address: string;
            /**
             * Format: int32
             * @description The straight-line distance from the requested place, in metres.
             */
            distance_m: number;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
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
            /** @description The name, as people read it. */
            name: string;
            /** @description The phone number in E.164, such as +919876543210. */
            phone: string | null;
        };
        NewAccount: {
            /**
             * Format: password
             * @description The password: at least 12 characters, and not easy to guess.
             */
            password: string;
            /** @description The token of a pending invitation. */
            token: components["schemas"]["Text1To200"];
        };
        /** @description A request to be called. */
        NewCallback: {
            note?: components["schemas"]["Text1To500"] | null;
        };
        NewCategory: {
            attempt_ttl_s?: components["schemas"]["Whole5To86400"] | null;
            base_price: components["schemas"]["Price"];
            /** @description What people say about it, in their own words. */
            description?: components["schemas"]["Text0To1000"] | null;
            destination?: components["schemas"]["DestinationRule"] | null;
            destination_free_km?: components["schemas"]["Whole0To1000"] | null;
            destination_per_km_price?: components["schemas"]["Price"] | null;
            /** @description How long such work usually takes, in minutes. */
            estimated_duration_min: components["schemas"]["Whole1To1440"];
            free_km?: components["schemas"]["Whole0To1000"] | null;
            icon_url?: components["schemas"]["FileUrl"] | null;
            in_time_s?: components["schemas"]["Whole60To86400"] | null;
            /** @description True if not given. */
            is_active?: boolean | null;
            max_rounds?: components["schemas"]["Whole1To100"] | null;
            /** @description The name, as people read it. */
            name: components["schemas"]["Text1To80"];
            offer_ttl_s?: components["schemas"]["Whole1To3600"] | null;
            per_km_price: components["schemas"]["Price"];
            rings_km?: components["schemas"]["Rings"] | null;
            /** @description Overrides `dispatch.round_widths`: simultaneous offers in round 1, 2, …; the last applies to every later round. */
            round_widths?: components["schemas"]["Whole1To50"][] | null;
            slug: components["schemas"]["Slug"];
            sort_order?: components["schemas"]["Whole0To10000"] | null;
            urgent_first_round?: components["schemas"]["Whole1To100"] | null;
            vehicle_types: components["schemas"]["VehicleType"][];
            worth_s?: components["schemas"]["Whole60To86400"] | null;
        };
        /** @description The vehicle's destination, and the person who receives it there. */
        NewDestination: {
            /** @description The address in words. */
            address?: components["schemas"]["Text1To500"] | null;
            lat?: components["schemas"]["Latitude"] | null;
            lng?: components["schemas"]["Longitude"] | null;
            /** @description Who receives the vehicle at the destination; null if nobody is named. */
            receiver_name?: components["schemas"]["NameOf100"] | null;
            receiver_phone?: components["schemas"]["Phone"] | null;
            workshop_id?: components["schemas"]["Id"] | null;
        };
        /** @description The reason for a dispute, with a description and evidence. */
        NewDispute: {
            /** @description What people say about it, in their own words. */
            description: components["schemas"]["Text1To2000"];
            evidence_urls?: components["schemas"]["FileUrl"][] | null;
            reason_code: components["schemas"]["DisputeReason"];
        };
        /** @description The caller's statement, and the evidence for it. */
        NewDisputeStatement: {
            evidence_urls?: components["schemas"]["FileUrl"][] | null;
            /** @description What this side says about it. */
            statement: components["schemas"]["Text1To2000"];
        };
        /** @description A document that a mechanic submits (contract 2.7). */
        NewDocument: {
            file_url: components["schemas"]["FileUrl"];
            type: components["schemas"]["DocumentType"];
        };
        /** @description An address to confirm. */
        NewEmail: {
            email: components["schemas"]["Email"];
        };
        /** @description A person's question or complaint about their data. */
        NewGrievance: {
            kind: components["schemas"]["GrievanceKind"];
            /** @description The question or complaint in the person's words. */
            text: components["schemas"]["Text1To2000"];
        };
        /** @description A message from the guest of a link to the mechanic. */
        NewGuestMessage: {
            body?: components["schemas"]["Text1To2000"] | null;
            /** @description The sender's own id for the message, new for each one. Sending it again yields the same message. */
            client_message_id: components["schemas"]["Id"];
            lat?: components["schemas"]["Latitude"] | null;
            lng?: components["schemas"]["Longitude"] | null;
            type: components["schemas"]["GuestMessageType"];
        };
        NewInvite: {
            /** @description The desks at which an admin is to work; every desk if not given. Not for a super-admin, who is at every desk. */
            desks?: components["schemas"]["Desk"][] | null;
            /** @description The email of the invited person; an identity with this email, verified, may accept. */
            email: components["schemas"]["Email"];
            role: components["schemas"]["AdminRole"];
        };
        /** @description A request for help. */
        NewJob: {
            beneficiary_name?: components["schemas"]["NameOf100"] | null;
            beneficiary_phone?: components["schemas"]["Phone"] | null;
            contact_preference?: components["schemas"]["ContactPreference"] | null;
            /** @description What people say about it, in their own words. */
            description?: components["schemas"]["Text1To2000"] | null;
            destination?: components["schemas"]["NewDestination"] | null;
            photo_urls?: components["schemas"]["FileUrl"][] | null;
            /** @description Where the vehicle stands, in words. */
            pickup_address: components["schemas"]["Text1To500"];
            pickup_lat: components["schemas"]["Latitude"];
            pickup_lng: components["schemas"]["Longitude"];
            scheduled_for?: components["schemas"]["Timestamp"] | null;
            service_category_id: components["schemas"]["Id"];
            urgency?: components["schemas"]["Urgency"] | null;
            vehicle_id: components["schemas"]["Id"];
        };
        /** @description A stop of new jobs. */
        NewJobStop: {
            ends_at?: components["schemas"]["Timestamp"] | null;
            /** @description The text that customers read. */
            message: components["schemas"]["Text1To300"];
        };
        /** @description A new item of the job's price beyond base and travel. */
        NewLineItem: {
            /** @description What people say about it, in their own words. */
            description: components["schemas"]["Text1To500"];
            photo_url?: components["schemas"]["FileUrl"] | null;
            /** @description How many of them. */
            quantity: components["schemas"]["Whole1To1000"];
            type: components["schemas"]["LineItemType"];
            /** @description For a discount, the amount by which it lowers the price. Tax included. */
            unit_price: components["schemas"]["UnitPrice"];
        };
        /** @description A new request. Its link is shown only here. */
        NewlyAskedPlace: {
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            not_texted: components["schemas"]["NotTexted"] | null;
            sent_at: components["schemas"]["Timestamp"] | null;
            /** @description The link for sharing a place. It is short enough to be read out: neither case nor hyphens matter. */
            url: string;
        };
        /** @description An invitation with its token, which is shown only once. */
        NewlyInvited: components["schemas"]["Invite"] & {
            /**
             * @description Whether a mail brings the token to the invited person as well, because the service sends mail
             *     (`mail.provider`).
             */
            mailed: boolean;
            /**
             * @description The token for POST /auth/accept-invite. Hand it to the invited person by a way that only they read; it is not
             *     stored.
             */
            token: string;
        };
        /** @description The recipient of a test mail. */
        NewMailTest: {
            email?: components["schemas"]["Email"] | null;
        };
        /** @description A dispute that a mechanic opens about one of their jobs. */
        NewMechanicDispute: {
            /** @description What people say about it, in their own words. */
            description: components["schemas"]["Text1To2000"];
            evidence_urls?: components["schemas"]["FileUrl"][] | null;
            job_id: components["schemas"]["Id"];
            reason_code: components["schemas"]["DisputeReason"];
        };
        /** @description A message from one side to the other. */
        NewMessage: {
            body?: components["schemas"]["Text1To2000"] | null;
            /** @description The sender's own id for the message, new for each one. Sending it again yields the same message. */
            client_message_id: components["schemas"]["Id"];
            file_url?: components["schemas"]["FileUrl"] | null;
            lat?: components["schemas"]["Latitude"] | null;
            lng?: components["schemas"]["Longitude"] | null;
            type: components["schemas"]["MessageType"];
        };
        /** @description The subject of an order: a job, or a set of cancellation fees. */
        NewOrder: {
            /** @description The cancelled jobs whose fees are paid; give either this or `job_id`. */
            fee_job_ids?: components["schemas"]["Id"][] | null;
            job_id?: components["schemas"]["Id"] | null;
            method?: components["schemas"]["Channel"] | null;
        };
        NewPhoto: {
            file_url: components["schemas"]["FileUrl"];
            stage: components["schemas"]["PhotoStage"];
        };
        /** @description The person to ask where they are. */
        NewPlaceRequest: {
            phone: components["schemas"]["Phone"];
        };
        /** @description The next version of the privacy notice. */
        NewPrivacyNotice: {
            /** @description Whether people who agreed to an earlier version have to agree anew. A small correction need not ask them. */
            ask_again: boolean;
            follows?: components["schemas"]["Whole0To1000000000"] | null;
            texts: components["schemas"]["NoticeTexts"];
        };
        NewPushToken: {
            app?: components["schemas"]["App"] | null;
            /** @description The app's own name for the device, the same as long as it is installed: a new token replaces the old one. */
            device_id: components["schemas"]["Text1To200"];
            keys?: components["schemas"]["NewSubscriptionKeys"] | null;
            platform: components["schemas"]["Platform"];
            token: components["schemas"]["DeviceToken"];
        };
        /** @description A rating of the other side. */
        NewRating: {
            /** @description What the rater wrote; null if nothing. */
            comment?: components["schemas"]["Text1To1000"] | null;
            /** @description The score from 1 to 5; 5 is best. */
            score: components["schemas"]["Whole1To5"];
            /** @description Tags for the other side; repeated ones count once. */
            tags?: components["schemas"]["RatingTag"][] | null;
        };
        /** @description A request for a refund. */
        NewRefund: {
            amount?: components["schemas"]["Money"] | null;
            /** @description Why, in the words of whoever decided it. */
            reason: components["schemas"]["Text1To500"];
        };
        /** @description The secret for an authenticator app (TOTP, RFC 6238); shown only once. */
        NewSecondFactor: {
            /** @description The same secret as a link, to be shown as a QR code. */
            otpauthUrl: string;
            /** @description The secret in base32, to be typed in. */
            secret: string;
        };
        /**
         * @description The permissions of the link's holder. An empty body makes a link that only shows the job, or, if `contact_preference` names
         *     the beneficiary, also lets its holder write and call.
         */
        NewShare: {
            /**
             * @description Whether the holder may write to and call the mechanic, and be called, in place of the customer. If not given, true if the
             *     job's `contact_preference` is beneficiary or both, else false.
             */
            may_contact?: boolean | null;
            send_to?: components["schemas"]["ShareRecipient"] | null;
            /**
             * @description Whether the link shows the start code from acceptance until the work starts, so that the person at the vehicle can give it
             *     to the mechanic. False if not given.
             */
            shows_start_code?: boolean | null;
        };
        /** @description A new link. Its token is shown only here. */
        NewShareLink: {
            /** @description When the link ends at the latest; it ends with the job. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the link's holder may write to the mechanic and call them. */
            may_contact: boolean;
            sent_at: components["schemas"]["Timestamp"] | null;
            /** @description Whether the link shows the start code. */
            shows_start_code: boolean;
            /** @description The last part of `url`. */
            token: string;
            /** @description The link to share: anyone who has it can follow the job. */
            url: string;
        };
        /** @description A signal that a guest's device sends to the mechanic's. */
        NewSignal: {
            /** @description The content for the other device: at most 12288 bytes as JSON. */
            payload: unknown;
        };
        /** @description The recipient of a test message. */
        NewSmsTest: {
            /** @description A phone that the admin has at hand. */
            phone: components["schemas"]["Phone"];
        };
        /** @description The `keys` of a browser's subscription (`PushSubscription.toJSON()`), in base64url. */
        NewSubscriptionKeys: {
            /** @description 16 bytes. */
            auth: components["schemas"]["Text1To40"];
            /** @description 65 bytes. */
            p256dh: components["schemas"]["Text1To100"];
        };
        /** @description A tow that the mechanic at the vehicle proposes. */
        NewTow: {
            destination: components["schemas"]["DestinationChoice"];
        };
        /** @description A tracker to be connected. */
        NewTracker: {
            app: components["schemas"]["TrackerApp"];
            /** @description The name by which the mechanic recognises the tracker. */
            name: components["schemas"]["NameOf40"];
        };
        NewUpiAccount: {
            holder_name?: components["schemas"]["NameOf120"] | null;
            vpa: components["schemas"]["Vpa"];
        };
        /** @description A file to upload. Its bytes must match this announcement. */
        NewUpload: {
            content_type: components["schemas"]["FileKind"];
            purpose: components["schemas"]["UploadPurpose"];
            sha256?: components["schemas"]["Sha256Hex"] | null;
            /** @description The size of the file in bytes. */
            size_bytes: components["schemas"]["Whole1To1073741824"];
        };
        /** @description A person who calls for help by phone. */
        NewUser: {
            name?: components["schemas"]["NameOf100"] | null;
            phone: components["schemas"]["Phone"];
        };
        NewVehicle: {
            /** @description The vehicle's colour, in words. */
            color?: components["schemas"]["Text1To30"] | null;
            fuel_type?: components["schemas"]["FuelType"] | null;
            /** @description Whether the vehicle becomes the default; the first vehicle always does. */
            is_default?: boolean | null;
            make?: components["schemas"]["Text1To60"] | null;
            model?: components["schemas"]["Text1To60"] | null;
            registration_number: components["schemas"]["RegistrationNumber"];
            vehicle_type: components["schemas"]["VehicleType"];
            /** @description The year in which the vehicle was made. */
            year?: components["schemas"]["Whole1900To2200"] | null;
        };
        NewWithdrawal: {
            amount: components["schemas"]["Money"];
            /**
             * Format: uuid
             * @description The account to which the money goes; the default account if left out.
             */
            upi_account_id?: string | null;
        };
        NewWorkshop: {
            /** @description The address in words. */
            address: components["schemas"]["Text1To500"];
            /** @description True if not given. */
            is_active?: boolean | null;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
            /** @description The name, as people read it. */
            name: components["schemas"]["Text1To100"];
            phone?: components["schemas"]["Phone"] | null;
        };
        NextRelease: {
            /** @description The held amount; the mechanic's debts at that time are taken off it first. */
            amount: components["schemas"]["Money"];
            /** @description When it clears. A dispute or a chargeback that begins before then holds it longer. */
            at: components["schemas"]["Timestamp"];
        };
        /** @description The body of an action that needs nothing: empty or `{}`. */
        NoFields: Record<string, never>;
        /**
         * @description A no-show that the mechanic reported. If a position proves the arrival, the fee is due at once; if not, nothing is
         *     due until an admin has decided. The customer can contest it in either case.
         */
        NoShow: {
            /** @description The amount that is due, or will be due if the customer is charged. */
            amount: components["schemas"]["Money"];
            /**
             * @description The time until which the customer can contest a fee, once. An open no-show without a statement can be contested
             *     until it is decided.
             */
            contestable_until: components["schemas"]["Timestamp"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            decided_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: double
             * @description The distance from the pickup to the mechanic's last plausible position at the arrival, in metres; null without a
             *     position.
             */
            distance_m: number | null;
            /**
             * Format: uuid
             * @description The job's id: a job has one no-show at most.
             */
            id: string;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /** @description The reason for the decision. */
            note: string | null;
            /** @description The reason that the mechanic gave for having arrived. */
            override_reason: string | null;
            stated_at: components["schemas"]["Timestamp"] | null;
            /** @description The customer's account of what happened. */
            statement: string | null;
            status: components["schemas"]["NoShowStatus"];
        };
        /** @description A no-show with the people on both sides, as only admins see it. */
        NoShowForAdmin: components["schemas"]["NoShow"] & components["schemas"]["CustomerContact"] & components["schemas"]["MechanicContact"] & {
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /**
             * @description Whether the phone marked a position of the mechanic as simulated, or a position was too far from the previous
             *     one to have been driven. Null if no position is kept any longer.
             */
            positions_jump: boolean | null;
            /**
             * @description Whether all positions between the acceptance and the report come from one place. Null if no position is kept any
             *     longer.
             */
            positions_stand_still: boolean | null;
        };
        /**
         * @description The status of a no-show: the fee is due, an admin has yet to decide, or an admin has charged the customer or
         *     dropped the claim.
         * @enum {string}
         */
        NoShowStatus: "due" | "open" | "charged" | "dropped";
        /**
         * @description The languages of privacy notices (ISO 639).
         * @enum {string}
         */
        NoticeLanguage: "en" | "hi" | "kn";
        /** @description The texts of a version: paragraphs with empty lines between them, and lines that begin with `- ` for the items of a list. */
        NoticeTexts: {
            /** @description The text in English. */
            en: components["schemas"]["Text1To6000"];
            hi?: components["schemas"]["Text1To6000"] | null;
            kn?: components["schemas"]["Text1To6000"] | null;
        };
        /** @description A notification of the caller (contract 2.5). */
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
        /**
         * @description Why the link is not sent by a text message.
         * @enum {string}
         */
        NotTexted: "no_provider" | "no_template" | "no_budget" | "refused" | "unknown";
        /** @description A job that a mechanic may take. */
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
        /** @description The place to which a vehicle is to be towed, rounded like the pickup. */
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
        /** @description A photo of the damage, for a mechanic who decides on an offer. */
        OfferPhoto: {
            /** @description When the link ends: with the offer at the latest. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description A link that anyone who has it can open without a token. */
            url: string;
        };
        /** @enum {string} */
        OfferStatus: "pending" | "accepted" | "declined" | "expired" | "revoked";
        /** @description Open jobs of one status. */
        OpenJobs: {
            /**
             * Format: int64
             * @description How many jobs are open.
             */
            count: number;
            /**
             * Format: int64
             * @description Seconds since the oldest of these jobs was made.
             */
            oldest_age_s: number;
            status: components["schemas"]["JobStatus"];
        };
        /** @description The operator of the service. */
        OperatorConfig: {
            /** @description The name by which customers know the service. */
            brand: string;
            privacy_contact: components["schemas"]["PrivacyContact"] | null;
            /** @description The operator's privacy statement. */
            privacy_url: string | null;
            /** @description The terms that customers and mechanics agree to. */
            terms_url: string | null;
        };
        /** @description An order, with which the customer's app opens the gateway's checkout. */
        OrderMade: {
            amount: components["schemas"]["Money"];
            /** @description The currency of the amounts, as ISO 4217 writes it. */
            currency: string;
            expires_at: components["schemas"]["Timestamp"] | null;
            /** @description The order's id at the gateway; null for cash. */
            gateway_order_id: string | null;
            /** @description The gateway's public key id; null for cash. */
            key_id: string | null;
            method: components["schemas"]["Channel"];
            /**
             * Format: uuid
             * @description The payment that it is about.
             */
            payment_id: string;
        };
        /** @description A position by OsmAnd's protocol, as a query string or a form. Other parameters are not read. */
        OsmAndPosition: {
            /**
             * Format: double
             * @description The accuracy in metres.
             */
            accuracy?: number | null;
            /**
             * Format: double
             * @description The direction in degrees clockwise from north.
             */
            bearing?: number | null;
            /** @description The tracker's token; `deviceid` is accepted as well. */
            id?: string | null;
            lat?: components["schemas"]["Latitude"] | null;
            /** @description The latitude and the longitude, instead of `lat` and `lon`. */
            location?: string | null;
            lon?: components["schemas"]["Longitude"] | null;
            /**
             * Format: double
             * @description The speed in knots.
             */
            speed?: number | null;
            /** @description The time as seconds or milliseconds since 1970, or as a date and a time; now if it is missing. */
            timestamp?: string | null;
        };
        /** @description How long the code is valid, and when it may be sent again. */
        OtpSent: {
            /**
             * Format: int64
             * @description Seconds for which the code is valid.
             */
            expiresIn: number;
            /** @description The code itself: in development only. */
            otp?: string | null;
            /**
             * Format: int64
             * @description Seconds after which the code may be sent again; an earlier request is refused with 429.
             */
            resendAfter: number;
        };
        /** @description A one-time password: six digits. Its debug print hides it. */
        OtpText: string;
        /**
         * @description How the work ended. towed: the vehicle was handed over at its destination.
         * @enum {string}
         */
        Outcome: "fixed" | "temporary" | "needs_tow" | "not_fixable" | "towed";
        Outlook: {
            /**
             * Format: int32
             * @description The chance in percent that a mechanic arrives within `in_time_s` of the call, in steps of 5.
             */
            chance_in_time_percent: number;
            /**
             * Format: int32
             * @description The expected seconds from now until a mechanic arrives, in whole minutes; null if no mechanic who is online could come.
             */
            expected_wait_s: number | null;
            /**
             * Format: int32
             * @description The time that counts as in time: seconds from the call, or for a scheduled job from the beginning of its dispatch.
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
        /** @description A profile as its mechanic sees it: the fields of MechanicProfile (contract 2.2), and more. */
        OwnMechanicProfile: {
            /**
             * Format: double
             * @description The average rating; 0 before the first one.
             */
            avg_rating: number;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The documents in the order in which they were submitted; at most 20. */
            documents: components["schemas"]["MechanicDocument"][];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the mechanic wants jobs. A mechanic is online if this is true and their position is fresh. */
            is_available: boolean;
            pending_change: components["schemas"]["PendingChange"] | null;
            /** @description Why it was rejected, in the admin's words; null if it was not. */
            rejection_reason: string | null;
            /** @description The kinds of help. */
            service_category_ids: string[];
            /**
             * Format: int32
             * @description How far away, in kilometres, the mechanic takes jobs.
             */
            service_radius_km: number;
            status: components["schemas"]["MechanicStatus"];
            /** @description Why the mechanic was taken off duty, in the admin's words; null if they were not. */
            suspension_reason: string | null;
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
            /** @description The name that an admin verified with the documents; null until then. Names at banks are compared with it. */
            verified_name: string | null;
        };
        /** @description A message of OwnTracks in HTTP mode. Other fields are not read. */
        OwnTracksMessage: {
            /** @description The kind of the message. Only `location` has a position. Other kinds are taken and not used. */
            _type?: string | null;
            /**
             * Format: double
             * @description The accuracy in metres.
             */
            acc?: number | null;
            /**
             * Format: double
             * @description The direction in degrees clockwise from north.
             */
            cog?: number | null;
            lat?: components["schemas"]["Latitude"] | null;
            lon?: components["schemas"]["Longitude"] | null;
            tst?: components["schemas"]["UnixSeconds"] | null;
            /**
             * Format: double
             * @description The speed in kilometres an hour.
             */
            vel?: number | null;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_AdminUser: {
            data: components["schemas"]["AdminUser"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_AuditEntry: {
            data: components["schemas"]["AuditEntry"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Call: {
            data: components["schemas"]["Call"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_CallbackForAdmin: {
            data: components["schemas"]["CallbackForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_ChargebackForAdmin: {
            data: components["schemas"]["ChargebackForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_DispatchConfiguration: {
            data: components["schemas"]["DispatchConfiguration"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Dispute: {
            data: components["schemas"]["Dispute"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_DisputeForAdmin: {
            data: components["schemas"]["DisputeForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_FailedPush: {
            data: components["schemas"]["FailedPush"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Grievance: {
            data: components["schemas"]["Grievance"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Invite: {
            data: components["schemas"]["Invite"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Job: {
            data: components["schemas"]["Job"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_JobForAdmin: {
            data: components["schemas"]["JobForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_ListedGrievance: {
            data: components["schemas"]["ListedGrievance"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_MechanicChange: {
            data: components["schemas"]["MechanicChange"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_MechanicForAdmin: {
            data: components["schemas"]["MechanicForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_MechanicRating: {
            data: components["schemas"]["MechanicRating"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_NoShowForAdmin: {
            data: components["schemas"]["NoShowForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Notification: {
            data: components["schemas"]["Notification"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_ParkedPayment: {
            data: components["schemas"]["ParkedPayment"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Payment: {
            data: components["schemas"]["Payment"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_PaymentForAdmin: {
            data: components["schemas"]["PaymentForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_PublishedNotice: {
            data: components["schemas"]["PublishedNotice"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_RatingForAdmin: {
            data: components["schemas"]["RatingForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_RefundForAdmin: {
            data: components["schemas"]["RefundForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Settlement: {
            data: components["schemas"]["Settlement"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_SettlementForAdmin: {
            data: components["schemas"]["SettlementForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_TowReview: {
            data: components["schemas"]["TowReview"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_UpiAccountForAdmin: {
            data: components["schemas"]["UpiAccountForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_WalletTransaction: {
            data: components["schemas"]["WalletTransaction"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_WebhookEvent: {
            data: components["schemas"]["WebhookEvent"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Withdrawal: {
            data: components["schemas"]["Withdrawal"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_WithdrawalForAdmin: {
            data: components["schemas"]["WithdrawalForAdmin"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description One page of a list: `{data, page, limit, total}`. */
        Page_Workshop: {
            data: components["schemas"]["Workshop"][];
            /**
             * Format: int64
             * @description The number of items on a full page.
             */
            limit: number;
            /**
             * Format: int64
             * @description The number of the page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items on all pages.
             */
            total: number;
        };
        /** @description The gateway's answer to the app at the checkout, which the app passes on to POST /payments/verify. */
        PaidOrder: {
            /** @description The order's id at the gateway. */
            gateway_order_id: string;
            /** @description The payment's id at the gateway. */
            gateway_payment_id: string;
            /** @description Hex HMAC-SHA256 of `{gateway_order_id}|{gateway_payment_id}` under the key's secret. */
            signature: string;
            status: components["schemas"]["PayOutcome"];
        };
        /** @description The place where a mechanic waits, with the phone in a pocket. */
        ParkedAt: {
            /** @description The mechanic's name for the place; null if they gave none. */
            label: string | null;
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
            /** @description Since when. */
            since: components["schemas"]["Timestamp"];
            /** @description When the waiting ends by itself. */
            until: components["schemas"]["Timestamp"];
        };
        /** @description Money at the gateway that fits no payment. */
        ParkedPayment: {
            amount: components["schemas"]["Money"];
            /** @description The currency of the amounts, as ISO 4217 writes it. */
            currency: string;
            /** @description The reason why the gateway could not give it back, when it was last asked. */
            failure: string | null;
            /** @description The order's id at the gateway. */
            gateway_order_id: string | null;
            /** @description The payment's id at the gateway. */
            gateway_payment_id: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The payment that it is about.
             */
            payment_id: string | null;
            reason: components["schemas"]["ParkReason"];
            /** @description When the service first heard of it. */
            seen_at: components["schemas"]["Timestamp"];
            settled_at: components["schemas"]["Timestamp"] | null;
            status: components["schemas"]["ParkedStatus"];
        };
        /**
         * @description The state of a parked payment: it waits for an admin, the gateway is refunding it or has refunded it, or an
         *     admin dismissed it.
         * @enum {string}
         */
        ParkedStatus: "open" | "refunding" | "refunded" | "dismissed";
        /**
         * @description The reason why money at the gateway fits no payment.
         * @enum {string}
         */
        ParkReason: "unknown_order" | "wrong_amount" | "wrong_currency" | "captured_twice";
        /**
         * @description A side of the job.
         * @enum {string}
         */
        Party: "customer" | "mechanic";
        PasswordLogin: {
            code?: components["schemas"]["OtpText"] | null;
            deviceToken?: components["schemas"]["TokenText"] | null;
            email: components["schemas"]["Email"];
            password: components["schemas"]["PasswordText"];
        };
        /**
         * Format: password
         * @description A password as it was typed: 1 to 200 characters. Its debug print hides it.
         */
        PasswordText: string;
        /** @description A payment. */
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
            /** @description The customer's payment method, in the gateway's word. The set of words is open: gateways add some. */
            method: string | null;
            purpose: components["schemas"]["Purpose"];
            /** @description The amount that was refunded, or is being refunded. */
            refunded_amount: components["schemas"]["Money"];
            status: components["schemas"]["PaymentStatus"];
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description How customers pay. */
        PaymentConfig: {
            /** @description The script of the gateway's checkout; null in the sandbox, which has none, and without a gateway. */
            checkout_url: string | null;
            /** @description The public id that the checkout opens with. */
            key_id: string | null;
            /** @description The gateway by which customers pay online. */
            provider: components["schemas"]["PaymentProvider"];
        };
        /** @description A payment with its customer, as only admins see it. */
        PaymentForAdmin: components["schemas"]["Payment"] & components["schemas"]["CustomerContact"];
        /** @enum {string} */
        PaymentProvider: "sandbox" | "razorpay" | "none";
        /** @description A refund to a customer. */
        PaymentRefund: {
            amount: components["schemas"]["Money"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The payment that it is about.
             */
            payment_id: string;
            /** @description Why, in the words of whoever decided it. */
            reason: string | null;
            /** @description When it was done with; null before. */
            settled_at: components["schemas"]["Timestamp"] | null;
            source: components["schemas"]["RefundSource"];
            status: components["schemas"]["PaymentRefundStatus"];
        };
        /**
         * @description The progress of a refund.
         * @enum {string}
         */
        PaymentRefundStatus: "pending" | "processed" | "failed";
        /**
         * @description The progress of a payment.
         * @enum {string}
         */
        PaymentStatus: "created" | "authorized" | "captured" | "partially_refunded" | "refunded" | "failed";
        PayOrder: {
            method?: components["schemas"]["Text1To30"] | null;
            outcome: components["schemas"]["PayOutcome"];
        };
        /**
         * @description The outcome of an attempt to pay.
         * @enum {string}
         */
        PayOutcome: "captured" | "authorized" | "failed";
        /** @description A change that a mechanic asks for. Until an admin decides, they serve the same as before. */
        PendingChange: {
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description When it was asked for. */
            requested_at: components["schemas"]["Timestamp"];
            /** @description The kinds of help. */
            service_category_ids: string[];
            vehicle_types: components["schemas"]["VehicleType"][];
        };
        /** @description Percentiles, in seconds (interpolated, as `percentile_cont` does). */
        Percentiles: {
            /**
             * Format: double
             * @description The median: half of the values are at most this.
             */
            p50: number;
            /**
             * Format: double
             * @description The 90th percentile.
             */
            p90: number;
            /**
             * Format: double
             * @description The 95th percentile.
             */
            p95: number;
            /**
             * Format: double
             * @description The 99th percentile.
             */
            p99: number;
        };
        /**
         * @description A telephone number, stored and returned in E.164: `+`, then at most 15 digits of which the first is not 0.
         *
         *     It may be written with spaces, hyphens, dots, slashes and brackets, with the digits of any script, and without its
         *     country if that is `phone.region`. It has no extension.
         */
        Phone: string;
        /** @description The number with which the caller signs in from now on. */
        PhoneChanged: {
            /** @description The device's token for the new number, as POST /auth/verify-otp gives it. */
            device_token: string;
            /** @description The phone number in E.164, such as +919876543210. */
            phone: string;
        };
        Photo: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Where the file is, as other requests take it. It opens only by a link of its own. */
            file_url: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description The stage of the work at which the photo was taken. */
            stage: components["schemas"]["PhotoStage"];
        };
        /**
         * @description The stage of the work at which a photo was taken.
         * @enum {string}
         */
        PhotoStage: "before" | "during" | "after";
        /** @description A place that has a name. */
        Place: {
            /** @description The whole address on one line, with the name, suitable for a `pickup_address`. */
            address: string;
            kind: components["schemas"]["PlaceKind"];
            /**
             * Format: double
             * @description The latitude; five decimal places are about a metre.
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /** @description The name, as people read it. */
            name: string;
        };
        /**
         * Format: double
         * @description How exact a position is, in metres.
         */
        PlaceAccuracy: number;
        /**
         * @description The kind of a place.
         * @enum {string}
         */
        PlaceKind: "house" | "street" | "area" | "town" | "region" | "landmark";
        /** @description The places that were found, best first. */
        PlaceList: {
            /** @description The owner of the data, to be shown with it; null if it need not be shown. */
            attribution: string | null;
            data: components["schemas"]["Place"][];
        };
        /**
         * @description The state of a request for a place.
         * @enum {string}
         */
        PlaceRequestStatus: "waiting" | "placed" | "used" | "expired";
        /** @description How places are searched for. */
        PlacesConfig: {
            /**
             * @description Whether the beginning of a name is enough, so that an app may search while somebody types; otherwise it waits until they
             *     ask for the search.
             */
            as_you_type: boolean;
            /** @description The owner of the data, to be shown with it; null if it need not be shown. */
            attribution: string | null;
            /** @description The address to which the attribution links. */
            attribution_url: string | null;
        };
        /** @description The place where a mechanic waits for the next job. */
        PlaceToWait: {
            label?: components["schemas"]["Text1To80"] | null;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /**
         * @description The platform that the app runs on.
         * @enum {string}
         */
        Platform: "android" | "ios" | "web";
        /** @description A message of 1 to 100 points, in any order. */
        Points: {
            points: components["schemas"]["TrackPoint"][];
        };
        Position: {
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
        };
        /** @description The sender of the position that counts now, and its time. */
        PositionOrigin: {
            /** @description When it came in. */
            received_at: components["schemas"]["Timestamp"];
            sent_by: components["schemas"]["PositionSender"];
            /**
             * Format: uuid
             * @description The tracker, which may have been removed since; null for any other sender.
             */
            tracker_id: string | null;
        };
        /**
         * @description The sender of a position.
         * @enum {string}
         */
        PositionSender: "app" | "tracker" | "parked";
        PreferenceChanges: {
            /** @description Pushes about the account. */
            account?: boolean;
            /** @description What is counted or chosen of jobs. */
            jobs?: boolean;
            /** @description Receipts by mail. */
            mails?: boolean;
            /** @description Pushes about messages. */
            messages?: boolean;
            /** @description Pushes about offers. */
            offers?: boolean;
            /** @description Pushes about payments. */
            payments?: boolean;
            /** @description Text messages about jobs. */
            texts?: boolean;
            /** @description Pushes about the wallet. */
            wallet?: boolean;
        };
        /**
         * @description The topics that are pushed to the caller's devices, and whether text messages and mail are sent. Notifications of a topic that
         *     is switched off are still listed, and sent on sockets.
         */
        Preferences: {
            /** @description The mechanic's registration. */
            account: boolean;
            /** @description The progress of a job, its line items, disputes and ratings. */
            jobs: boolean;
            /** @description Whether receipts are mailed to the address that the caller has confirmed. */
            mails: boolean;
            /** @description Chat and missed calls. */
            messages: boolean;
            /** @description Jobs offered to a mechanic. */
            offers: boolean;
            /** @description Payments and refunds. */
            payments: boolean;
            /** @description Whether text messages report a job's progress, while `jobs` is on and no app can be reached. */
            texts: boolean;
            /** @description UPI accounts and withdrawals. */
            wallet: boolean;
        };
        /** @description The target of the bytes: one request with this method and these headers to this URL, without a bearer token. */
        PresignedUpload: {
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * @description The value for `file_url`, `photo_urls`, `avatar_url` and `evidence_urls` once the upload is complete. It holds
             *     no credentials: it opens for everyone who may see the file.
             */
            file_url: string;
            /** @description The headers with which the file has to be sent. */
            headers: {
                [key: string]: string;
            };
            /** @description Always PUT. */
            method: string;
            /**
             * Format: uuid
             * @description The upload, for `POST /uploads/{id}/complete`.
             */
            upload_id: string;
            /** @description The address. */
            url: string;
        };
        /**
         * Format: double
         * @description A price: not negative.
         */
        Price: number;
        PricePart: {
            amount: components["schemas"]["Money"];
            /** @description The name, as people read it. */
            name: string;
        };
        /** @description The contact for people's questions about their data. */
        PrivacyContact: {
            /**
             * Format: email
             * @description The email address.
             */
            email: string;
            /** @description A person or a role. */
            name: string | null;
        };
        /** @description The operator's statement about people's data, in one language. */
        PrivacyNotice: {
            /** @description The language of the text: the requested one if there is a text in it, else English. */
            language: components["schemas"]["NoticeLanguage"];
            /** @description The other languages in which the notice can be read. */
            other_languages: components["schemas"]["NoticeLanguage"][];
            /** @description When it was published. */
            published_at: components["schemas"]["Timestamp"];
            /** @description Paragraphs with empty lines between them; lines that begin with `- ` are items of a list. */
            text: string;
            /**
             * Format: int64
             * @description The number of the version; the newest has the highest.
             */
            version: number;
        };
        ProfileChanges: {
            /** @description The kinds of help. */
            service_category_ids?: string[];
            service_radius_km?: components["schemas"]["RadiusKm"];
            vehicle_types?: components["schemas"]["VehicleType"][];
        };
        /** @description A version of the notice, as admins list it. `GET /privacy-notice` has its texts. */
        PublishedNotice: {
            /** @description Whether people who agreed to an earlier version are asked again. */
            ask_again: boolean;
            languages: components["schemas"]["NoticeLanguage"][];
            /** @description When it was published. */
            published_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The super-admin who published it.
             */
            published_by: string;
            /** @description The name of the super-admin who published it; null if they gave no name. */
            published_by_name: string | null;
            /**
             * Format: int64
             * @description The number of the version; the newest has the highest.
             */
            version: number;
        };
        /**
         * @description The purpose of a payment.
         * @enum {string}
         */
        Purpose: "job" | "fees";
        /**
         * @description The outcome of a test push to a device.
         * @enum {string}
         */
        PushOutcome: "taken" | "unregistered" | "refused" | "not_now" | "not_sent";
        /** @description A device that the caller's notifications are pushed to. */
        PushToken: {
            app: components["schemas"]["App"] | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The device, as its app named it. */
            device_id: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether it is registered with the session that asks. */
            is_current: boolean;
            platform: components["schemas"]["Platform"];
            /** @description When the app last registered this token. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * Format: double
         * @description The radius around the mechanic in kilometres, 1 to 100. It is rounded down to whole kilometres: 7.5 counts as 7, so that no
         *     mechanic is sent further than they agreed to.
         * @default 10
         */
        RadiusKm: number;
        /**
         * @description The side of the job that rates; it rates the other side.
         * @enum {string}
         */
        Rater: "customer" | "mechanic";
        /** @description A rating, as its writer and the rated person see it. */
        Rating: {
            /** @description What the rater wrote; null if nothing. */
            comment: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether an admin hid the rating: it then does not count, and nobody else sees it. */
            is_hidden: boolean;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            rater: components["schemas"]["Rater"];
            /**
             * Format: int32
             * @description From 1, bad, to 5, good.
             */
            score: number;
            tags: components["schemas"]["RatingTag"][];
        };
        /** @description A rating as admins see it. */
        RatingForAdmin: components["schemas"]["CustomerContact"] & components["schemas"]["MechanicContact"] & {
            /** @description What the rater wrote; null if nothing. */
            comment: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            hidden_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @description The admin who hid the rating.
             */
            hidden_by: string | null;
            hidden_reason: components["schemas"]["HiddenReason"] | null;
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
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            rater: components["schemas"]["Rater"];
            /**
             * Format: int32
             * @description From 1, bad, to 5, good.
             */
            score: number;
            tags: components["schemas"]["RatingTag"][];
        };
        /**
         * @description The subject of a rating, besides its score. `polite` and `rude` are for both sides, the tags before them rate mechanics,
         *     those after them customers.
         * @enum {string}
         */
        RatingTag: "on_time" | "skilled" | "fair_price" | "explained_well" | "left_it_clean" | "late" | "unskilled" | "overcharged" | "unsafe" | "polite" | "rude" | "easy_to_find" | "patient" | "paid_promptly" | "hard_to_find" | "not_at_the_vehicle" | "unsafe_place" | "slow_to_pay";
        /** @description The last event that the caller has read. */
        ReadUpTo: {
            /** @description The number of the last message that was read. */
            up_to_seq: components["schemas"]["Whole1To9223372036854775807"];
        };
        /** @description Whether the server should get requests. */
        Ready: {
            /**
             * @description The result of each check (`database`, `writes`, `migrations`, `recovery`, `engine`, `leadership`, `draining`, `load`; in a
             *     cluster also `bus` and `clock`): "ok" or the fault.
             */
            checks: {
                [key: string]: string;
            };
            /** @description How far it has come. */
            status: components["schemas"]["ReadyStatus"];
        };
        /** @enum {string} */
        ReadyStatus: "ready" | "not_ready" | "standby";
        /**
         * @description The format in which a receipt is shown.
         * @enum {string}
         */
        ReceiptFormat: "html" | "pdf";
        Refresh: {
            refreshToken: components["schemas"]["TokenText"];
        };
        /** @description A new pair of tokens, and the facts that an app needs at its start. */
        Refreshed: components["schemas"]["SignedIn"] & {
            /**
             * Format: uuid
             * @description The mechanic's profile; null if the person is no mechanic.
             */
            mechanicProfileId: string | null;
        };
        /** @description A refund. */
        Refund: {
            amount: components["schemas"]["Money"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Why it failed; null if it did not. */
            failure: string | null;
            /** @description The refund's id at the gateway; null before it has one, and for cash. */
            gateway_refund_id: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The payment that it is about.
             */
            payment_id: string;
            /** @description Why, in the words of whoever decided it. */
            reason: string | null;
            /** @description When it was done with; null before. */
            settled_at: components["schemas"]["Timestamp"] | null;
            source: components["schemas"]["RefundSource"];
            status: components["schemas"]["ShownRefundStatus"];
        };
        /** @description A refund with the customer who is paid back, as only admins see it. */
        RefundForAdmin: components["schemas"]["Refund"] & components["schemas"]["CustomerContact"] & {
            /** @description The way in which the payment was made, and so is paid back. */
            channel: components["schemas"]["Channel"];
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            /**
             * Format: uuid
             * @description The job that the payment is for; null if it is for fees.
             */
            job_id: string | null;
        };
        /**
         * @description The origin of a refund: an admin, a resolved dispute, a capture beyond the amount due, somebody at the gateway,
         *     or the customer's bank.
         * @enum {string}
         */
        RefundSource: "admin" | "dispute" | "surplus" | "gateway" | "chargeback";
        /** @description A registration that a mechanic submits for verification (contract 4.2). */
        Registration: {
            /** @description The documents, possibly none. */
            documents: components["schemas"]["NewDocument"][];
            /** @description The kinds of help. */
            service_category_ids: string[];
            service_radius_km?: components["schemas"]["RadiusKm"] | null;
            vehicle_types: components["schemas"]["VehicleType"][];
        };
        /**
         * @description A registration number in upper case without spaces and hyphens, so that it has only one form: 2 to 15 letters or
         *     digits.
         */
        RegistrationNumber: string;
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
        RejectUpiAccount: {
            reason?: components["schemas"]["Text3To500"] | null;
        };
        Release: {
            reason_code: components["schemas"]["ReleaseReason"];
        };
        /**
         * @description The reason why a mechanic gives a job back.
         * @enum {string}
         */
        ReleaseReason: "vehicle_trouble" | "cannot_reach" | "missing_parts" | "wrong_skill" | "personal" | "other";
        /**
         * @description The outcome of a dispute, and the reason for it. `price_reduction` is given with a split only: the amount taken off
         *     the price, which the customer gets back or need not pay; above zero and below the final price.
         */
        Resolve: {
            /** @description A remark to it; null if there is none. */
            note: components["schemas"]["Text1To2000"];
            outcome: components["schemas"]["DisputeOutcome"];
            price_reduction?: components["schemas"]["Money"] | null;
        };
        /**
         * @description A tow that no position shows at its destination, as its customer and its mechanic find it in the file with their
         *     data.
         */
        ReviewedTow: {
            /** @description The price of the tow. */
            amount: components["schemas"]["Money"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            decided_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: int32
             * @description The distance from the destination to the mechanic's last plausible position at the delivery, in metres; null
             *     without a position.
             */
            distance_m: number | null;
            /**
             * Format: int32
             * @description The minimum distance that the mechanic drove with the vehicle, in metres; null if no position came on the way.
             */
            driven_m: number | null;
            /** @description The mechanic's share clears from this time on, decided or not. */
            held_until: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The job's id: a job has one tow at most.
             */
            id: string;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /** @description The reason that the mechanic gave for the delivery. */
            reason: string;
            status: components["schemas"]["TowReviewStatus"];
        };
        /**
         * @description Rings around the pickup in km, 1 to 10 of them, each larger than the one before, up to 500 km: the bounds of
         *     `dispatch.rings_km`.
         */
        Rings: number[];
        /**
         * @description The roles of the contract. A mechanic is a customer with a profile.
         * @enum {string}
         */
        Role: "customer" | "admin" | "super_admin";
        /** @description Shows when one more mechanic would have been worth most, by the recorded prices. */
        Roster: {
            /** @description The classes, beginning with the one in which one more mechanic would save most in a day; at most 64. */
            classes: components["schemas"]["RosterClass"][];
            /** @description The hours in which one more mechanic would save most, of all classes; at most 100. */
            dearest: components["schemas"]["DearHour"][];
            /**
             * Format: int64
             * @description How often prices were recorded. It happens every five minutes while somebody is online and prices are on.
             */
            looks: number;
            /** @description The beginning of the recorded prices, if they are still kept (`dispatch.records_retention_days`). */
            since: components["schemas"]["Timestamp"];
            /** @description The zone of the hours, by its name in the IANA database. */
            time_zone: string;
        };
        /** @description A class over the day. */
        RosterClass: components["schemas"]["ServedSkills"] & {
            /** @description The conclusion in a sentence or two. */
            advice: string;
            /** @description The hours in order, without those in which no mechanic of the class was online. */
            hours: components["schemas"]["RosterHour"][];
            /**
             * Format: double
             * @description A rough place near its town.
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /**
             * Format: double
             * @description Jobs that one more mechanic would save in a day, if they worked all 24 hours.
             */
            one_more_saves_per_day: number;
        };
        /** @description Averages of a class in an hour of the local day, over all days. */
        RosterHour: {
            /**
             * Format: double
             * @description The average number of calls per hour over the `samples`, like the fields below.
             */
            calls_per_hour: number;
            /**
             * Format: int64
             * @description The hour of the local day at which this hour begins.
             */
            hour: number;
            /**
             * Format: double
             * @description The price: how many jobs are lost for each hour that one of the mechanics is away.
             */
            jobs_lost_per_hour: number;
            /**
             * Format: double
             * @description How many mechanics these calls keep busy.
             */
            load: number;
            /**
             * Format: int64
             * @description How often prices were recorded in this hour, of any class.
             */
            looks: number;
            /**
             * Format: double
             * @description The average number of mechanics online, over all `looks`.
             */
            mechanics: number;
            /**
             * Format: double
             * @description How many jobs one more mechanic would save per hour.
             */
            one_more_saves_per_hour: number;
            /**
             * Format: int64
             * @description The number of recorded prices of the class. If they are fewer than `looks`, no mechanic of the class was online in the
             *     others.
             */
            samples: number;
        };
        /** @description Rules that apps explain before the service applies them. */
        RulesConfig: {
            /**
             * Format: int64
             * @description How long after its completion a job may be disputed.
             */
            dispute_window_s: number;
            max_withdrawal: components["schemas"]["Money"];
            /** @description The smallest and the largest amount of one withdrawal. */
            min_withdrawal: components["schemas"]["Money"];
            /**
             * Format: int64
             * @description How long a mechanic waits after arriving before they may report that the customer is not there.
             */
            no_show_after_s: number;
        };
        RunSettlements: {
            /** @description The day after the last day, in local time, too. */
            period_end: components["schemas"]["Day"];
            /** @description The first day, in local time (`operator.time_zone`). */
            period_start: components["schemas"]["Day"];
        };
        SecondFactorCode: {
            /** @description The code that the authenticator app shows. */
            code: components["schemas"]["OtpText"];
            deviceToken?: components["schemas"]["TokenText"] | null;
            email: components["schemas"]["Email"];
            password: components["schemas"]["PasswordText"];
        };
        /** @description The owner of the second factor that is set up. */
        SecondFactorOwner: {
            deviceToken?: components["schemas"]["TokenText"] | null;
            email: components["schemas"]["Email"];
            password: components["schemas"]["PasswordText"];
        };
        SendOtp: {
            deviceToken?: components["schemas"]["TokenText"] | null;
            phone: components["schemas"]["Phone"];
        };
        /**
         * @description The recipient of an admin's link by SMS: the customer at their own number, or the beneficiary at the job's
         *     `beneficiary_phone`.
         */
        SendShare: {
            send_to: components["schemas"]["LinkRecipient"];
        };
        /** @description The skills that the mechanics of a class have in common. */
        ServedSkills: {
            /** @description The categories and the number of vehicle types, in short; in full if two classes would read alike. */
            label: string;
            /** @description The kinds of help. */
            service_category_ids: string[];
            vehicle_types: components["schemas"]["VehicleType"][];
        };
        /** @description A kind of help. */
        ServiceCategory: {
            /**
             * Format: int32
             * @description How long the search for a mechanic lasts.
             */
            attempt_ttl_s: number | null;
            base_price: components["schemas"]["Money"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description What people say about it, in their own words. */
            description: string;
            destination: components["schemas"]["DestinationRule"];
            /**
             * Format: int32
             * @description The kilometres to the destination that are free.
             */
            destination_free_km: number;
            /** @description The price for each begun kilometre from the pickup to the destination beyond the free ones. */
            destination_per_km_price: components["schemas"]["Money"];
            /**
             * Format: int32
             * @description How long such work usually takes, in minutes.
             */
            estimated_duration_min: number;
            /**
             * Format: int32
             * @description How many kilometres of the way to the pickup cost nothing.
             */
            free_km: number;
            /** @description A picture of the kind of help; null if there is none. */
            icon_url: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: int32
             * @description A mechanic who arrives within this time after the call is in time, in seconds.
             */
            in_time_s: number | null;
            /** @description Whether it is offered now. */
            is_active: boolean;
            /**
             * Format: int32
             * @description How many rounds a search has at most.
             */
            max_rounds: number | null;
            /** @description The name, as people read it. */
            name: string;
            /**
             * Format: int32
             * @description How long a mechanic may consider an offer. If this or one of the next seven is null, the service's setting applies.
             */
            offer_ttl_s: number | null;
            per_km_price: components["schemas"]["Money"];
            /** @description Radii around the pickup, tried one after the other. */
            rings_km: number[] | null;
            /** @description Simultaneous offers in round 1, 2, …; the last applies to every later round. */
            round_widths: number[] | null;
            /** @description A name for programs; it never changes. */
            slug: string;
            /**
             * Format: int32
             * @description The place in lists: the lowest is first.
             */
            sort_order: number;
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The round at which accident and highway jobs begin.
             */
            urgent_first_round: number | null;
            vehicle_types: components["schemas"]["VehicleType"][];
            /**
             * Format: int32
             * @description The value of serving a job in time, in seconds of pickup time.
             */
            worth_s: number | null;
        };
        /** @description One sign-in on one device. */
        Session: {
            /** @description When the session began. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description When the session ends if it is not used before. */
            expiresAt: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether this is the session of the request. */
            isCurrent: boolean;
            /** @description When the session was used last. */
            lastUsedAt: components["schemas"]["Timestamp"];
            /** @description The device's own name for itself; null if it gives none. */
            userAgent: string | null;
        };
        /** @description Another filter, for a limited time. */
        SetLogFilter: {
            /**
             * Format: int64
             * @description The duration in seconds, at most an hour.
             */
            duration_s: number;
            /** @description Levels by target, as in `log.filter`. `debug` and `trace` are for roadcall's own targets. */
            filter: components["schemas"]["Text1To200"];
        };
        /** @description A mechanic's earnings in a period, added up once. */
        Settlement: {
            /** @description The part of the gross that the mechanic took in cash. */
            cash_collected: components["schemas"]["Money"];
            /** @description The commission on the gross, before refunds. */
            commission: components["schemas"]["Money"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The payments of customers, cash included. */
            gross: components["schemas"]["Money"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /**
             * @description The mechanic's shares of payments that were not refunded, less the cash that the mechanic has: the ledger's sum
             *     of these earnings. Below zero if cash outweighs.
             */
            net: components["schemas"]["Money"];
            paid_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: date
             * @description The day after the last day, in the same time zone.
             */
            period_end: string;
            /**
             * Format: date
             * @description The first day, in the local time (`operator.time_zone`) when the settlement was made. Release 0.1.0 settled days
             *     in UTC.
             */
            period_start: string;
            /** @description The bank's reference of the transfer; null before it is paid. */
            reference: string | null;
            /** @description The part of the gross that was refunded before the settlement was made. */
            refunds: components["schemas"]["Money"];
            status: components["schemas"]["SettlementStatus"];
            /** @description The tax contained in the gross, before refunds. */
            tax: components["schemas"]["Money"];
        };
        /** @description A settlement with its mechanic, as only admins see it. */
        SettlementForAdmin: components["schemas"]["Settlement"] & components["schemas"]["MechanicContact"];
        /**
         * @description Whether a settlement was paid.
         * @enum {string}
         */
        SettlementStatus: "open" | "paid";
        /** @description The reason why an admin gives a parked payment back, or closes it. */
        SettleParkedPayment: {
            /** @description The reason, which is kept in the audit log. */
            reason: components["schemas"]["Text3To500"];
        };
        /** @description SHA-256 in hex, in either case. */
        Sha256Hex: string;
        /** @description A call as the guest of a link sees it. */
        SharedCall: {
            /** @description When it was answered; null if it was not. */
            answered_at: components["schemas"]["Timestamp"] | null;
            end_reason: components["schemas"]["EndReason"] | null;
            /** @description When it ended; null before. */
            ended_at: components["schemas"]["Timestamp"] | null;
            expires_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the mechanic calls, not the guest. */
            is_incoming: boolean;
            /** @description When the call began to ring. */
            started_at: components["schemas"]["Timestamp"];
            status: components["schemas"]["CallStatus"];
        };
        /** @description The rough place to which the vehicle is towed. */
        SharedDestination: {
            /** @description The last part of the address, which names the town. */
            address: string;
            /** @description The workshop's name, if it is on the operator's list; else null. */
            workshop_name: string | null;
        };
        SharedEta: {
            /**
             * Format: int32
             * @description The time in seconds, in whole minutes, rounded up (a multiple of 60): exact seconds and the position together would reveal
             *     how far away the customer is.
             */
            eta_s: number;
            source: components["schemas"]["EtaSource"];
        };
        /** @description The job as the holder of a link sees it: its progress, and where help is. */
        SharedJob: {
            call: components["schemas"]["SharedCall"] | null;
            /** @description The customer's first name; null if they gave none. */
            customer_first_name: string | null;
            destination: components["schemas"]["SharedDestination"] | null;
            eta: components["schemas"]["SharedEta"] | null;
            /** @description When the link ends, unless the job ends before. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description Whether an admin gave the job to its mechanic, who has not set out yet: it is unknown whether they have seen it. */
            is_unconfirmed: boolean;
            loaded_at: components["schemas"]["Timestamp"] | null;
            /** @description Whether this link lets its holder write to the mechanic and call them. */
            may_contact: boolean;
            /** @description The mechanic's first name; null while the job has no mechanic. */
            mechanic_first_name: string | null;
            mechanic_left: components["schemas"]["MechanicLeft"] | null;
            navigating_since: components["schemas"]["Timestamp"] | null;
            outlook: components["schemas"]["Outlook"] | null;
            position: components["schemas"]["SharedPosition"] | null;
            /** @description The name of the kind of help. */
            service_category: string;
            /**
             * @description The code that the mechanic asks for before the work starts. Shown from acceptance until then if the customer allowed it
             *     for this link; else null.
             */
            start_code: string | null;
            status: components["schemas"]["JobStatus"];
            /** @description When the job last changed. */
            updated_at: components["schemas"]["Timestamp"];
            /** @description Unless it is normal, people come before the vehicle: the number to call is `support.emergency_phone` of `GET /config`. */
            urgency: components["schemas"]["Urgency"];
            vehicle: components["schemas"]["SharedVehicle"];
        };
        /** @description A message as the guest of a link sees it. */
        SharedMessage: {
            /** @description The text; null where there is none, or none for the reader. */
            body: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the message was written with this link. */
            is_own: boolean;
            /** @description Whether its sender deleted their account; its content is then gone. */
            is_removed: boolean;
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
            sender: components["schemas"]["ChatAuthor"];
            /** @description A guest's name; null for others. */
            sender_name: string | null;
            /**
             * Format: int64
             * @description The message's number; messages are in this order.
             */
            seq: number;
            /** @description The kind of the message. A guest does not get an image itself, only its caption in `body`. */
            type: components["schemas"]["MessageType"];
        };
        /** @description A part of the chat with the mechanic who is on the job. */
        SharedMessages: {
            data: components["schemas"]["SharedMessage"][];
            /** @description Whether there are more: newer ones if `since_seq` was given, else older ones. */
            has_more: boolean;
            /** @description Whether there is a mechanic to write to. */
            is_writable: boolean;
        };
        /** @description A place that somebody has shared. */
        SharedPlace: {
            /**
             * Format: double
             * @description The accuracy that their phone reports; null if they placed the pin by hand.
             */
            accuracy_m: number | null;
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
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
        };
        /** @description The mechanic's last position, and its age. */
        SharedPosition: {
            /**
             * Format: int64
             * @description How old the position is, in milliseconds.
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
            /** @description When the phone measured it. */
            recorded_at: components["schemas"]["Timestamp"];
            /** @description Whether it is too old to be shown as current. */
            stale: boolean;
        };
        /** @description The vehicle, without its plate. */
        SharedVehicle: {
            /** @description The vehicle's colour, in words. */
            color: string | null;
            /** @description Who made the vehicle; empty if nobody has said it. */
            make: string;
            /** @description The vehicle's model; empty if nobody has said it. */
            model: string;
            vehicle_type: components["schemas"]["VehicleType"];
        };
        /** @description A link as its maker sees it later, without its token. */
        ShareLink: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the link still shows the job. */
            is_live: boolean;
            /** @description Whether the link's holder may write to the mechanic and call them. */
            may_contact: boolean;
            /** @description When it was revoked; null if it was not. */
            revoked_at: components["schemas"]["Timestamp"] | null;
            sent_at: components["schemas"]["Timestamp"] | null;
            /** @description Whether the link shows the start code. */
            shows_start_code: boolean;
        };
        /** @description The place where somebody is. */
        SharePlace: {
            accuracy_m?: components["schemas"]["PlaceAccuracy"] | null;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /**
         * @description The recipient of a link.
         * @enum {string}
         */
        ShareRecipient: "beneficiary";
        /**
         * @description The progress of a refund.
         * @enum {string}
         */
        ShownRefundStatus: "pending" | "processed" | "failed";
        /** @description The outcome of a signal. */
        Signalled: {
            /**
             * Format: uuid
             * @description The call whose other side got the signal.
             */
            call_id: string;
            /** @description Whether a socket of the other side took it. If not, because none was open or had room, send it again. */
            delivered: boolean;
        };
        /** @description A new pair of tokens, and the account that they belong to. */
        SignedIn: {
            /** @description The token for the header `Authorization: Bearer`. */
            accessToken: string;
            /**
             * Format: int64
             * @description Seconds for which the access token is valid.
             */
            expiresIn: number;
            /** @description The refresh token; absent with `X-Session: cookie`. */
            refreshToken?: string;
            role: components["schemas"]["Role"];
            /**
             * Format: uuid
             * @description The account that signed in.
             */
            userId: string;
        };
        /** @description The page on which a sign-in continues. */
        SignInBegun: {
            /** @description The provider's page, to be opened in this browser. It sends people back to `/console/sign-in`. */
            authorizationUrl: string;
            /**
             * Format: int64
             * @description Seconds within which they have to be back.
             */
            expiresIn: number;
        };
        /** @description The tokens of a new session. */
        SignInCompleted: components["schemas"]["SignedIn"] & {
            /** @description The page on which people sign out at the provider, too; null if it has none. */
            signOutUrl: string | null;
        };
        /** @description How fast help came in a period. */
        Sla: {
            /** @description Categories with a job in the period, by name. */
            by_category: components["schemas"]["CategorySla"][];
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /** @description The zone of the days, by its name in the IANA database. */
            time_zone: string;
            /**
             * Format: date
             * @description The last day, included.
             */
            to: string;
            total: components["schemas"]["SlaFigures"];
        };
        /** @description How fast help came. Times count from the beginning of the search: when the job was made, or the scheduled time less the lead. */
        SlaFigures: {
            /**
             * Format: int64
             * @description Jobs of these at which a mechanic arrived.
             */
            arrived: number;
            /**
             * Format: double
             * @description The share of the jobs with an arrival whose mechanic arrived within 30 minutes, 0 to 1; null if there was no arrival.
             */
            arrived_within_30_min: number | null;
            /**
             * Format: int64
             * @description Jobs of these that a mechanic took.
             */
            assigned: number;
            /**
             * Format: double
             * @description The share of the assigned jobs that had their first mechanic within 60 seconds, 0 to 1; null if no job was assigned.
             */
            assigned_within_60_s: number | null;
            /**
             * Format: int64
             * @description Jobs whose search began in the period.
             */
            jobs: number;
            time_to_arrive_s: components["schemas"]["Percentiles"] | null;
            time_to_assign_s: components["schemas"]["Percentiles"] | null;
        };
        /** @description A name for URLs: lower-case letters and digits in words joined by single hyphens, 1 to 60 characters. */
        Slug: string;
        /**
         * @description The outcome of a test message.
         * @enum {string}
         */
        SmsOutcome: "taken" | "refused" | "unknown" | "not_sent";
        /** @description The provider's answer to a test message. */
        SmsTest: {
            outcome: components["schemas"]["SmsOutcome"];
            /** @description The status and the number of the provider's error, never its words; null if it took the message. */
            reason: string | null;
        };
        /**
         * Format: double
         * @description The speed over ground in metres a second; -1 if unknown.
         */
        SpeedMps: number;
        StartWork: {
            start_code?: components["schemas"]["Text1To10"] | null;
        };
        /** @description The figures of a period, in all, by day and by category. */
        Stats: {
            /** @description Categories in which something happened, by name. */
            by_category: components["schemas"]["CategoryFigures"][];
            /** @description Every day of the period, in order. */
            by_day: components["schemas"]["DayFigures"][];
            /** @description The currency of the amounts, as ISO 4217 writes it. */
            currency: string;
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /** @description The zone of the days, by its name in the IANA database. */
            time_zone: string;
            /**
             * Format: date
             * @description The last day, included.
             */
            to: string;
            total: components["schemas"]["Figures"];
        };
        /** @description A mechanic's earnings in one step of a period. */
        StatsStep: {
            /** @description The mechanic's shares of what was paid in the step, fees included, as in the figures of the whole period. */
            earnings: components["schemas"]["Money"];
            /** @description The beginning. */
            from: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The number of jobs that were paid in the step, without cancelled jobs that owed a fee.
             */
            jobs: number;
        };
        /** @description The state of the service, line by line, as the server that answers sees it. */
        Status: {
            /** @description When the state was checked; an answer may be some seconds old. */
            at: components["schemas"]["Timestamp"];
            lines: components["schemas"]["StatusLine"][];
            /** @description The worst state of the lines. */
            state: components["schemas"]["StatusState"];
        };
        /** @description The state of one subject. */
        StatusLine: {
            about: components["schemas"]["StatusSubject"];
            /** @description The next thing to do; null where there is none. */
            next: string | null;
            /** @description The section of docs/RUNBOOK.md that says more; null where there is none. */
            runbook: string | null;
            state: components["schemas"]["StatusState"];
            /** @description The state in words, in English like the console. */
            text: string;
        };
        /**
         * @description ok: nothing to do. look: something is wrong, but people don't feel it yet. act: people feel it, or soon will.
         * @enum {string}
         */
        StatusState: "ok" | "look" | "act";
        /**
         * @description The subject of a line of the status.
         * @enum {string}
         */
        StatusSubject: "requests" | "database" | "disk" | "backup" | "backup_test" | "servers" | "engine" | "clock" | "versions" | "new_jobs" | "webhooks" | "payouts" | "money" | "grievances" | "notifications" | "pushes" | "text_messages" | "mails" | "recorder" | "router" | "places";
        /** @description `{success: true, data}`, contract 2.1. */
        Success_OtpSent: {
            data: components["schemas"]["OtpSent"];
            /** @description Always true. */
            success: boolean;
        };
        /** @description `{success: true, data}`, contract 2.1. */
        Success_Refreshed: {
            data: components["schemas"]["Refreshed"];
            /** @description Always true. */
            success: boolean;
        };
        /** @description `{success: true, data}`, contract 2.1. */
        Success_Sessions: {
            data: components["schemas"]["Session"][];
            /** @description Always true. */
            success: boolean;
        };
        /** @description `{success: true, data}`, contract 2.1. */
        Success_SignedIn: {
            data: components["schemas"]["SignedIn"];
            /** @description Always true. */
            success: boolean;
        };
        /** @description `{success: true, data}`, contract 2.1. */
        Success_SignInBegun: {
            data: components["schemas"]["SignInBegun"];
            /** @description Always true. */
            success: boolean;
        };
        /** @description `{success: true, data}`, contract 2.1. */
        Success_SignInCompleted: {
            data: components["schemas"]["SignInCompleted"];
            /** @description Always true. */
            success: boolean;
        };
        /** @description `{success: true, data}`, contract 2.1. */
        Success_Verified: {
            data: components["schemas"]["Verified"];
            /** @description Always true. */
            success: boolean;
        };
        /** @description The operator's contacts for customers and mechanics; each is null if there is none. */
        SupportConfig: {
            /** @description The email address. */
            email: string | null;
            /** @description The number to call first when people are in danger: digits, perhaps after a `+`, for a `tel:` link. */
            emergency_phone: string;
            /** @description The number in E.164. */
            phone: string | null;
        };
        /** @description The calls and mechanics to expect within 3 km. */
        Surroundings: {
            /**
             * Format: double
             * @description The calls per hour that this mechanic can serve, to a tenth.
             */
            calls_per_hour: number;
            /**
             * Format: int32
             * @description The number of other free mechanics who serve some of these calls.
             */
            free_mechanics: number;
        };
        SuspendUser: {
            /** @description The reason is stored with the account and in the audit log. */
            reason: components["schemas"]["Text1To500"];
        };
        /** @description All hours of a kind. Calls in the first 10 minutes of an hour are left out, since they still depend on the hour before. */
        SwitchbackArm: {
            /**
             * Format: int64
             * @description Calls for help in these hours.
             */
            calls: number;
            /**
             * Format: int64
             * @description The number of such hours.
             */
            hours: number;
            /**
             * Format: double
             * @description How many of 100 calls were served in time; null without calls, like the others.
             */
            in_time_percent: number | null;
            /**
             * Format: double
             * @description How many of 100 calls were served.
             */
            served_percent: number | null;
            /**
             * Format: double
             * @description How many of 100 calls found nobody.
             */
            unserved_percent: number | null;
        };
        /** @description A difference in percentage points, to a tenth, with its 95 % confidence interval. */
        SwitchbackDifference: {
            /**
             * Format: double
             * @description The beginning.
             */
            from: number;
            /**
             * Format: double
             * @description The difference, in percentage points.
             */
            points: number;
            /**
             * Format: double
             * @description The end of the confidence interval.
             */
            to: number;
        };
        /** @description The effect of prices of mechanics' time: hours with prices and hours without, as the setting `price_switchback` drew them. */
        SwitchbackReport: {
            in_time: components["schemas"]["SwitchbackDifference"] | null;
            /** @description Whether prices are switched by the hour now. */
            is_on: boolean;
            served: components["schemas"]["SwitchbackDifference"] | null;
            /** @description The beginning of the compared time. Only whole hours count in which prices were switched all along. */
            since: components["schemas"]["Timestamp"];
            unserved: components["schemas"]["SwitchbackDifference"] | null;
            /** @description The end of the compared time. */
            until: components["schemas"]["Timestamp"];
            with_prices: components["schemas"]["SwitchbackArm"];
            without_prices: components["schemas"]["SwitchbackArm"];
        };
        /** @description A change of the leading server. */
        TakeOver: {
            /** @description When the server began to lead. */
            led_at: components["schemas"]["Timestamp"];
            ready_at: components["schemas"]["Timestamp"] | null;
            /** @description The version of the program that runs there. */
            release: string;
            /**
             * Format: uuid
             * @description The server that began to lead.
             */
            server: string;
            /**
             * Format: int64
             * @description The number of the take-over on this database.
             */
            term: number;
        };
        /** @description A device of the caller, and the outcome of a test push to it. */
        TestedDevice: {
            app: components["schemas"]["App"] | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            outcome: components["schemas"]["PushOutcome"];
            platform: components["schemas"]["Platform"];
            /** @description The reason, in our own words; null if there is none. */
            reason: string | null;
        };
        Text0To1000: string;
        Text1To10: string;
        Text1To30: string;
        Text1To40: string;
        Text1To60: string;
        Text1To80: string;
        Text1To100: string;
        Text1To200: string;
        Text1To300: string;
        Text1To500: string;
        Text1To1000: string;
        Text1To2000: string;
        Text1To4000: string;
        Text1To6000: string;
        Text2To100: string;
        Text2To1000: string;
        Text3To200: string;
        Text3To300: string;
        Text3To500: string;
        /** @description A ticket that opens one socket. */
        Ticket: {
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description The ticket for `GET /ws?ticket=…`; it works once. */
            ticket: string;
        };
        /** @description An event of a job, as every participant may see it. */
        TimelineEntry: {
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            by: components["schemas"]["ActorKind"];
            /**
             * @description The event's details, e.g. why an arrival was overridden, or the `concern` behind a delay and since when there has been a
             *     reason for it.
             */
            data: Record<string, never>;
            event: components["schemas"]["TimelineEvent"];
            /**
             * Format: int64
             * @description The number, in order.
             */
            seq: number;
            /** @description The job's status after the event. */
            status: components["schemas"]["JobStatus"];
        };
        /**
         * @description What happened to a job.
         * @enum {string}
         */
        TimelineEvent: "created" | "dispatching" | "accepted" | "no_mechanic_found" | "retried" | "en_route" | "navigating" | "back_in_app" | "delayed" | "recovered" | "arrived" | "in_progress" | "loaded" | "completed" | "released" | "cancelled" | "no_show_contested" | "no_show_decided" | "corrected" | "line_item_proposed" | "line_item_amended" | "line_item_withdrawn" | "line_item_approved" | "line_item_rejected" | "payment" | "call" | "paid" | "disputed" | "resolved";
        /** Format: date-time */
        Timestamp: string;
        /** @description A token as text, 1 to 8192 bytes. Its debug print hides it. */
        TokenText: string;
        /** @description The mechanics of a town. No mechanic counts in two towns. */
        TownPrices: {
            /** @description The classes, the most expensive first; at most 16. */
            classes: components["schemas"]["ClassPrice"][];
            /**
             * Format: double
             * @description A rough place near the town: the middle of a square of about 22 km in which one of its mechanics is.
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
        };
        /** @description A tow that no position shows at its destination, as admins see it. */
        TowReview: components["schemas"]["CustomerContact"] & components["schemas"]["MechanicContact"] & {
            /** @description The price of the tow. */
            amount: components["schemas"]["Money"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The customer, by the id of their account.
             */
            customer_id: string;
            decided_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: int32
             * @description The distance from the destination to the mechanic's last plausible position at the delivery, in metres; null
             *     without a position.
             */
            distance_m: number | null;
            /**
             * Format: int32
             * @description The minimum distance that the mechanic drove with the vehicle, in metres; null if no position came on the way.
             */
            driven_m: number | null;
            /** @description The mechanic's share clears from this time on, decided or not. */
            held_until: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The job's id: a job has one tow at most.
             */
            id: string;
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
            /** @description A remark to it; null if there is none. */
            note: string | null;
            /**
             * Format: int32
             * @description The distance to the destination when it was agreed, in metres.
             */
            quoted_m: number | null;
            /** @description The reason that the mechanic gave for the delivery. */
            reason: string;
            status: components["schemas"]["TowReviewStatus"];
        };
        /**
         * @description The status of a review: open, or ended by releasing the mechanic's share or by taking the tow off the price.
         * @enum {string}
         */
        TowReviewStatus: "open" | "released" | "reduced";
        /** @description The coordinates. Unknown values are negative. */
        TraccarCoordinates: {
            /**
             * Format: double
             * @description The accuracy in metres.
             */
            accuracy?: number | null;
            /**
             * Format: double
             * @description The direction in degrees clockwise from north.
             */
            heading?: number | null;
            latitude: components["schemas"]["Latitude"];
            longitude: components["schemas"]["Longitude"];
            /**
             * Format: double
             * @description The speed in metres a second.
             */
            speed?: number | null;
        };
        TraccarLocation: {
            coords: components["schemas"]["TraccarCoordinates"];
            /** @description Whether the phone reports that the position is simulated. */
            mock?: boolean | null;
            /** @description When the phone measured the position. */
            timestamp: components["schemas"]["Timestamp"];
        };
        /** @description A message of Traccar Client. Other fields are not read. */
        TraccarMessage: {
            /** @description The tracker's token. */
            device_id?: string | null;
            location?: components["schemas"]["TraccarLocation"] | null;
        };
        /** @description An app that sends the mechanic's positions with the screen off. */
        Tracker: {
            app: components["schemas"]["TrackerApp"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            last_seen_at: components["schemas"]["Timestamp"] | null;
            /** @description The name, as people read it. */
            name: string;
            problem: components["schemas"]["TrackerProblem"] | null;
        };
        /**
         * @description An app that sends positions with the screen off.
         * @enum {string}
         */
        TrackerApp: "owntracks" | "traccar";
        /**
         * @description Why a message of a tracker can't be used, however often it is sent.
         * @enum {string}
         */
        TrackerFault: "unreadable" | "encrypted" | "invalid" | "clock_ahead" | "too_old" | "no_fix";
        /** @description Why the newest message of a tracker could not be used. */
        TrackerProblem: {
            /** @description When such a message last arrived, to within half a minute. */
            at: components["schemas"]["Timestamp"];
            /** @description The details, in English. */
            detail: string;
            fault: components["schemas"]["TrackerFault"];
        };
        /**
         * @description The outcome of a tracker's message. An app repeats a refused message, so an unusable one is taken, too, and shown to the
         *     mechanic.
         */
        TrackerReceipt: {
            /**
             * Format: int32
             * @description The number of positions that are stored now.
             */
            accepted: number;
            /**
             * Format: int32
             * @description The number of positions that were stored before.
             */
            duplicates: number;
            fault: components["schemas"]["TrackerFault"] | null;
        };
        /** @description The caller's trackers, in the order in which they were connected, and the origin of the position that counts. */
        Trackers: {
            data: components["schemas"]["Tracker"][];
            last_position: components["schemas"]["PositionOrigin"] | null;
        };
        /** @description A new tracker. Its token is shown only here: it can send this mechanic's positions, and do nothing else. */
        TrackerToken: {
            app: components["schemas"]["TrackerApp"];
            /** @description The address to which the app sends positions. */
            endpoint: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description The name, as people read it. */
            name: string;
            /** @description A link that sets the app up when it is opened on the phone, or read by the app as a QR code. It contains the token. */
            setup_url: string;
            /** @description A secret that admits whoever holds it. */
            token: string;
        };
        /** @description A position as the phone recorded it. */
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
        /** @description A trail: a Feature of RFC 7946 with a line of at least two points, or without a line. */
        Trail: {
            geometry: components["schemas"]["Line"] | null;
            /** @description What is known of the line, as GeoJSON has it. */
            properties: components["schemas"]["TrailProperties"];
            /** @description Always Feature. */
            type: string;
        };
        TrailProperties: {
            /** @description Whether points in between were left out, evenly, to stay within the limit. The first and the last are always shown. */
            is_thinned: boolean;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
            /**
             * Format: uuid
             * @description The mechanic of the trail; null while the job has no mechanic.
             */
            mechanic_profile_id: string | null;
            /**
             * Format: int64
             * @description The maximum number of points that are shown.
             */
            points_limit: number;
            /**
             * Format: int64
             * @description The number of all stored points, shown or not.
             */
            points_recorded: number;
            /** @description When the mechanic was at each of the coordinates, corrected for the phone's clock. */
            times: components["schemas"]["Timestamp"][];
        };
        /**
         * Format: double
         * @description An amount above zero.
         */
        UnitPrice: number;
        /**
         * Format: int64
         * @description A time in seconds since 1970; a fraction is not needed.
         */
        UnixSeconds: number;
        /** @description A fee that the caller owes (contract 2.6). */
        UnpaidFee: {
            cancellation_fee: components["schemas"]["Money"];
            /** @description When it was cancelled; null if it was not. */
            cancelled_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string;
        };
        /** @description The number of the caller's unread notifications. */
        UnreadCount: {
            /**
             * Format: int64
             * @description The number of unread notifications.
             */
            unread_count: number;
        };
        /** @description Changes of the own account. Absent fields do not change; null empties a field, except the language. */
        UpdateMe: {
            avatar_url?: components["schemas"]["FileUrl"] | null;
            email?: components["schemas"]["Email"] | null;
            language?: components["schemas"]["Language"];
            /** @description The name, as people read it. */
            name?: components["schemas"]["NameOf100"] | null;
        };
        /** @description A UPI account of a mechanic. */
        UpiAccount: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The name at the bank; null before it is known. */
            holder_name: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether the account is used when a withdrawal names none. The first verified account becomes the default. */
            is_default: boolean;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /**
             * @description The name to which the address is registered. Null unless it matches the verified name, so that nobody can look
             *     up other people's names.
             */
            name_at_bank: string | null;
            /**
             * Format: int32
             * @description How well the name at the bank matches the verified name, 0 to 100; null until the bank has answered.
             */
            name_match_score: number | null;
            /** @description Why it was rejected, in the admin's words; null if it was not. */
            rejection_reason: string | null;
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
            /** @description The time before which nothing can be withdrawn to the account. */
            usable_from: components["schemas"]["Timestamp"];
            verification_status: components["schemas"]["VerificationStatus"];
            /** @description The address, in lower case. */
            vpa: string;
        };
        /** @description A UPI account of a mechanic, with the names to compare, for admins. */
        UpiAccountForAdmin: {
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The owner of the address, according to the mechanic. */
            holder_name: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether it is used where none is named. */
            is_default: boolean;
            /** @description The name that the mechanic uses. */
            mechanic_name: string | null;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description The name to which the address is registered; null until the bank has answered. */
            name_at_bank: string | null;
            /**
             * Format: int32
             * @description How well the name at the bank matches the verified name, 0 to 100.
             */
            name_match_score: number | null;
            /** @description Why it was rejected, in the admin's words; null if it was not. */
            rejection_reason: string | null;
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
            /** @description The time before which nothing can be withdrawn to the account. */
            usable_from: components["schemas"]["Timestamp"];
            verification_status: components["schemas"]["VerificationStatus"];
            /** @description The name that an admin verified with the documents. The name at the bank is compared with it. */
            verified_name: string | null;
            /** @description The address, in lower case. */
            vpa: string;
        };
        /** @description An uploaded file, or one that is announced. */
        Upload: {
            /** @description When it was completed; null before. */
            completed_at: components["schemas"]["Timestamp"] | null;
            content_type: components["schemas"]["FileKind"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Where the file is, as other requests take it. It opens only by a link of its own. */
            file_url: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            purpose: components["schemas"]["UploadPurpose"];
            /**
             * Format: int64
             * @description The size of the file in bytes.
             */
            size_bytes: number;
            status: components["schemas"]["UploadStatus"];
        };
        /** @description A link that opens a file for anyone who has it, for a short time. */
        UploadLink: {
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description The address. */
            url: string;
        };
        /**
         * @description The purpose of a file, which decides who may see it.
         * @enum {string}
         */
        UploadPurpose: "job_photo" | "document" | "avatar" | "chat" | "evidence";
        /**
         * @description The progress of an upload.
         * @enum {string}
         */
        UploadStatus: "pending" | "complete";
        /**
         * @description Accident and highway jobs are offered to several mechanics from the start.
         * @enum {string}
         */
        Urgency: "normal" | "highway" | "accident";
        /**
         * @description The user object of contract 2.4. Every field is always present, and null if empty: an admin has no phone, a new
         *     customer no name.
         */
        User: {
            /** @description The person's picture; null if they have none. */
            avatar_url: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: email
             * @description The email address.
             */
            email: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description The name, as people read it. */
            name: string | null;
            /** @description The phone number in E.164, such as +919876543210. */
            phone: string | null;
            role: components["schemas"]["Role"];
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description Whether an account may be used.
         * @enum {string}
         */
        UserStatus: "active" | "suspended" | "deleted";
        /** @description A vehicle of the caller. */
        Vehicle: {
            /** @description The vehicle's colour, in words. */
            color: string | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The vehicle's fuel in words; null if unknown. */
            fuel_type: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether it is used where none is named. */
            is_default: boolean;
            /** @description The maker of the vehicle; empty if nobody has named it. */
            make: string;
            /** @description The vehicle's model; empty if nobody has named it. */
            model: string;
            /** @description Upper case, without spaces and hyphens. */
            registration_number: string;
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The account of the person whose it is.
             */
            user_id: string;
            vehicle_type: components["schemas"]["VehicleType"];
            /**
             * Format: int32
             * @description The year in which the vehicle was made.
             */
            year: number | null;
        };
        VehicleChanges: {
            /** @description The vehicle's colour, in words. */
            color?: components["schemas"]["Text1To30"] | null;
            fuel_type?: components["schemas"]["FuelType"] | null;
            /**
             * @description Whether the vehicle is the default. `true` replaces the present default; `false` is refused for the default, since there
             *     is always one.
             */
            is_default?: boolean;
            /** @description Who made the vehicle. */
            make?: components["schemas"]["Text1To60"];
            /** @description The vehicle's model. */
            model?: components["schemas"]["Text1To60"];
            registration_number?: components["schemas"]["RegistrationNumber"];
            vehicle_type?: components["schemas"]["VehicleType"];
            /** @description The year in which the vehicle was made. */
            year?: components["schemas"]["Whole1900To2200"] | null;
        };
        /**
         * @description A type of vehicle.
         * @enum {string}
         */
        VehicleType: "two_wheeler" | "three_wheeler" | "four_wheeler" | "commercial";
        /**
         * @description The progress of a UPI account's verification.
         * @enum {string}
         */
        VerificationStatus: "pending" | "verified" | "name_mismatch" | "invalid" | "manually_approved" | "rejected";
        /** @description The tokens of a new session, and the facts that an app needs at the first sign-in of a device. */
        Verified: components["schemas"]["SignedIn"] & {
            /** @description The token for the next sign-in on this device with this number. It signs nobody in; keep it when signing out. */
            deviceToken: string;
            /** @description Whether the account was made just now. */
            isNewUser: boolean;
            /**
             * Format: uuid
             * @description The mechanic's profile; null if the person is no mechanic.
             */
            mechanicProfileId: string | null;
        };
        /** @description The data that the gateway's checkout handed to the customer's app. */
        Verify: {
            /** @description The order's id at the gateway. */
            gateway_order_id: components["schemas"]["Text1To100"];
            /** @description The payment's id at the gateway. */
            gateway_payment_id: components["schemas"]["Text1To100"];
            /** @description Hex HMAC-SHA256 of `{order}|{payment}` under the gateway's key secret. */
            signature: components["schemas"]["Text1To200"];
        };
        VerifyOtp: {
            deviceToken?: components["schemas"]["TokenText"] | null;
            name?: components["schemas"]["NameOf100"] | null;
            otp: components["schemas"]["OtpText"];
            phone: components["schemas"]["Phone"];
        };
        /**
         * @description A UPI address (VPA), stored in lower case so that each address has one form: 2 to 256 letters, digits, dots,
         *     underscores or hyphens, `@`, then a handle of 2 to 64 letters or digits.
         */
        Vpa: string;
        /** @description The numbers of things that wait for a provider or for an admin. */
        Waiting: {
            /**
             * Format: int64
             * @description Customers who asked to be called.
             */
            callbacks: number;
            /**
             * Format: int64
             * @description Refunds that have to be paid by hand.
             */
            cash_refunds: number;
            /**
             * Format: int64
             * @description Payments that a customer's bank wants back, still to be contested at the gateway.
             */
            chargebacks: number;
            /**
             * Format: int64
             * @description Webhooks that failed for good and wait for a replay.
             */
            dead_webhooks: number;
            /**
             * Format: int64
             * @description Disputes that wait for a decision.
             */
            disputes: number;
            /**
             * Format: int64
             * @description Refunds that failed at the gateway, where nothing of the payment has been given back since.
             */
            failed_refunds: number;
            /**
             * Format: int64
             * @description Questions and complaints of people about their data.
             */
            grievances: number;
            /**
             * Format: int64
             * @description Changes to the services of verified mechanics that wait for a decision.
             */
            mechanic_changes: number;
            /**
             * Format: int64
             * @description Profiles that wait for verification.
             */
            mechanics: number;
            /**
             * Format: int64
             * @description No-shows that an admin has to decide: no position proves the arrival, or the customer contests the fee.
             */
            no_shows: number;
            /**
             * Format: int64
             * @description How long the oldest event of the gateway has been waiting, in seconds; null if none is waiting.
             */
            oldest_webhook_age_s: number | null;
            /**
             * Format: int64
             * @description Money at the gateway that matches no payment, and is neither given back nor dismissed.
             */
            parked_payments: number;
            /**
             * Format: int64
             * @description Refunds that are on their way to a customer, at the gateway.
             */
            refunds: number;
            /**
             * Format: int64
             * @description Tows that no position shows at their destination.
             */
            tow_reviews: number;
            /**
             * Format: int64
             * @description UPI accounts whose names do not match.
             */
            upi_mismatches: number;
            /**
             * Format: int64
             * @description Webhooks that wait to be processed.
             */
            webhooks: number;
            /**
             * Format: int64
             * @description Withdrawals that are on their way to a mechanic.
             */
            withdrawals: number;
        };
        /** @description An area in which a mechanic without a job should rather wait. It is only advice: a mechanic who stays loses nothing. */
        WaitingAdvice: {
            /**
             * Format: int32
             * @description The driving time to its middle in seconds, in whole minutes.
             */
            drive_s: number;
            here: components["schemas"]["Surroundings"];
            /**
             * Format: double
             * @description The middle of the area; `radius_m` is how far it reaches.
             */
            lat: number;
            /**
             * Format: double
             * @description Degrees east (WGS 84).
             */
            lng: number;
            /**
             * Format: int32
             * @description The radius of the area, in metres.
             */
            radius_m: number;
            /** @description The advantage of the area. */
            reason: components["schemas"]["AdviceReason"];
            /** @description The situation around the area, and around the mechanic. */
            there: components["schemas"]["Surroundings"];
            /** @description Until when the advice is valid. */
            until: components["schemas"]["Timestamp"];
            /** @description The reason in a sentence or two. */
            why: string;
        };
        /** @enum {string} */
        WaitReason: "free" | "held" | "busy" | "declined" | "out_of_reach" | "no_skill" | "nobody_online";
        /** @description A mechanic's balances and totals. */
        Wallet: {
            available: components["schemas"]["Money"];
            /** @description The currency of the amounts, as ISO 4217 writes it. */
            currency: string;
            /** @description Money within the clearing time, disputed, or on its way out. */
            held: components["schemas"]["Money"];
            /** @description The mechanic's shares of all payments, cash included, less refunds. */
            lifetime_earned: components["schemas"]["Money"];
            lifetime_withdrawn: components["schemas"]["Money"];
            next_release: components["schemas"]["NextRelease"] | null;
            /** @description Commission on cash, or a refund of money that was withdrawn already; taken off the next earnings. */
            owed: components["schemas"]["Money"];
            /** @description The part of the held amount that is on its way out. */
            pending_withdrawals: components["schemas"]["Money"];
            /** @description The available amount less the owed amount, at least zero. */
            withdrawable: components["schemas"]["Money"];
        };
        /**
         * @description An account of a mechanic.
         * @enum {string}
         */
        WalletAccount: "available" | "held" | "owed";
        /** @description One line of a mechanic's accounts. */
        WalletTransaction: {
            account: components["schemas"]["WalletAccount"];
            /** @description The amount: above zero if it adds to the account. Debts are below zero. */
            amount: components["schemas"]["Money"];
            /** @description When it happened, or was so. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id of the entry. An entry that moves an amount from one account to another has a line for each.
             */
            id: string;
            /**
             * Format: uuid
             * @description The job that it is about.
             */
            job_id: string | null;
            kind: components["schemas"]["EntryKind"];
            /** @description A remark to it; null if there is none. */
            note: string | null;
        };
        /** @description A route along roads: a Feature of RFC 7946, whose line begins beside the mechanic's last position. */
        WayAhead: {
            geometry: components["schemas"]["Line"] | null;
            /** @description What is known of the line, as GeoJSON has it. */
            properties: components["schemas"]["WayAheadProperties"];
            /** @description Always Feature. */
            type: string;
        };
        WayAheadProperties: {
            /**
             * Format: int32
             * @description The line's length, in metres; null without a line.
             */
            distance_m: number | null;
        };
        /** @description An event that the gateway sends (contract 4.3). */
        Webhook: {
            /** @description The event's name. An event with an unknown name is stored, and ignored. */
            event: string;
            /** @description The subject of the event, as the gateway writes it. */
            payload: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The outcome of a webhook.
         * @enum {string}
         */
        WebhookAnswer: "ok" | "duplicate" | "ignored" | "error";
        /** @description An event of the inbox. */
        WebhookEvent: {
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempts: number;
            /** @description The gateway's name for what happened. */
            event: string;
            /** @description The gateway's id, or the body's SHA-256 if the gateway sent none. */
            event_id: string;
            /** @description The gateway that sent it. */
            gateway: string;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description The reason why processing it failed last; null if it did not. */
            last_error: string | null;
            next_try_at: components["schemas"]["Timestamp"] | null;
            /** @description The payload without personal data: name, phone, email, address of payment. */
            payload: {
                [key: string]: unknown;
            };
            /** @description When it came in. */
            received_at: components["schemas"]["Timestamp"];
            /** @description When it was done with; null before. */
            settled_at: components["schemas"]["Timestamp"] | null;
            status: components["schemas"]["WebhookStatus"];
        };
        /**
         * @description The status of an event in the inbox; a dead one failed too often and waits for an admin.
         * @enum {string}
         */
        WebhookStatus: "pending" | "processed" | "ignored" | "dead";
        /** @description The answer to a webhook (contract 4.3). */
        WebhookTaken: {
            status: components["schemas"]["WebhookAnswer"];
        };
        WebPushConfig: {
            /** @description The key with which a page subscribes to pushes (RFC 8292); null if the service can't push to pages. */
            vapid_public_key: string | null;
        };
        /** @description A request, as shown to anybody who has its link. It reveals nothing about a person. */
        WhereAsked: {
            /** @description The operator's name; null if they have not set one. */
            asked_by: string | null;
            /** @description Until when it is good. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description Whether a place was shared already; it may be corrected. */
            is_placed: boolean;
        };
        Whole0To1000: number;
        Whole0To10000: number;
        Whole0To1000000000: number;
        Whole1To5: number;
        Whole1To50: number;
        Whole1To100: number;
        Whole1To1000: number;
        Whole1To1440: number;
        Whole1To3600: number;
        Whole1To1000000: number;
        Whole1To1000000000: number;
        Whole1To1073741824: number;
        Whole1To9223372036854775807: number;
        Whole5To86400: number;
        Whole60To86400: number;
        Whole1900To2200: number;
        /** @description A withdrawal from a mechanic's wallet. */
        Withdrawal: {
            amount: components["schemas"]["Money"];
            /** @description The reason why the payout failed; null if it did not. */
            failure_reason: string | null;
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description When it was asked for. */
            requested_at: components["schemas"]["Timestamp"];
            settled_at: components["schemas"]["Timestamp"] | null;
            status: components["schemas"]["WithdrawalStatus"];
            /**
             * Format: uuid
             * @description The UPI account to which the money goes.
             */
            upi_account_id: string;
            /** @description The bank's reference. */
            utr: string | null;
            /** @description The UPI address to which the money goes. */
            vpa: string;
        };
        /** @description A withdrawal with its mechanic, as only admins see it. */
        WithdrawalForAdmin: components["schemas"]["Withdrawal"] & components["schemas"]["MechanicContact"] & {
            /**
             * Format: int32
             * @description The number of times that the provider was asked.
             */
            attempts: number;
            /** @description The payee of the payout. */
            holder_name: string;
            /**
             * @description Whether an admin pays it and then records the payment (`POST /admin/withdrawals/{id}/mark-paid`), because the
             *     operator has no payout provider.
             */
            is_to_be_paid_by_hand: boolean;
            /**
             * Format: uuid
             * @description The mechanic, by the id of their profile.
             */
            mechanic_profile_id: string;
            /** @description The provider's id of the payout; null until it has answered. */
            payout_id: string | null;
        };
        /**
         * @description The progress of a withdrawal.
         * @enum {string}
         */
        WithdrawalStatus: "requested" | "processing" | "processed" | "failed" | "reversed";
        /** @description Why an admin rejects or suspends; the mechanic can read it. */
        WithReason: {
            /** @description Why, in the words of whoever decided it. */
            reason: components["schemas"]["Text3To500"];
        };
        /** @description A workshop that vehicles are towed to. */
        Workshop: {
            /** @description The address in words. */
            address: string;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description The id by which other operations name it.
             */
            id: string;
            /** @description Whether customers can choose it. */
            is_active: boolean;
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
            /** @description The name, as people read it. */
            name: string;
            /** @description The phone number in E.164, such as +919876543210. */
            phone: string | null;
            /** @description When it was changed last. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The fields to change; all others stay. */
        WorkshopChanges: {
            /** @description The address in words. */
            address?: components["schemas"]["Text1To500"];
            /** @description Whether it is offered now. */
            is_active?: boolean;
            lat?: components["schemas"]["Latitude"];
            lng?: components["schemas"]["Longitude"];
            /** @description The name, as people read it. */
            name?: components["schemas"]["Text1To100"];
            phone?: components["schemas"]["Phone"] | null;
        };
    };
    responses: never;
    parameters: {
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_audit_log: {
        parameters: {
            query?: {
                /** @description Noun and verb */
                action?: components["schemas"]["Text1To100"];
                /** @description The admin */
                actor_id?: string;
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description From this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Only what was done to this object. */
                object_id?: string;
                /** @description Only what was done to objects of this kind, such as `job` or `user`. */
                object_type?: components["schemas"]["Text1To100"];
                /** @description Which page, from 1. */
                page?: number;
                /** @description Before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AuditEntry"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_callbacks: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Asked for from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description open if not given */
                status?: components["schemas"]["CallbackStatus"];
                /** @description Asked for before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_CallbackForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    close_callback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job whose customer asked to be called */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloseCallback"];
            };
        };
        responses: {
            /** @description A request to be called, with what an admin has to know about its job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Callback"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_chargebacks: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Opened from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only what has this status. */
                status?: components["schemas"]["ChargebackStatus"];
                /** @description Opened before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ChargebackForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_cluster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The servers of this database, as known to the answering server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterState"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_dispatch_configuration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One version of how jobs are dispatched */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchConfiguration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    change_dispatch_configuration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeDispatch"];
            };
        };
        responses: {
            /** @description One version of how jobs are dispatched */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchConfiguration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_dispatch_configurations: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_DispatchConfiguration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_dispatch_prices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The present price of an hour of mechanics' time */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchPrices"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_roster: {
        parameters: {
            query?: {
                /** @description How far to look back; 28 if not given */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shows when one more mechanic would have been worth most, by the recorded prices */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Roster"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_roster_picture: {
        parameters: {
            query?: {
                /** @description How far to look back; 28 if not given */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_switchback: {
        parameters: {
            query?: {
                /** @description How far to look back; 28 if not given */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The effect of prices of mechanics' time: hours with prices and hours without, as the setting `price_switchback` drew them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwitchbackReport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_disputes: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Both if not given */
                status?: components["schemas"]["DisputeStatus"];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_DisputeForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_failed_pushes: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Of what happened from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Of what happened before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_FailedPush"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_fleet: {
        parameters: {
            query: {
                /** @description west,south,east,north in degrees. If west is greater than east, the box crosses the date line. */
                bbox: string;
                /** @description Whether `jobs` are all that are open, in the box and elsewhere, and `details` say what a list shows of them and of the mechanics: names, phones, addresses */
                details?: boolean;
                /** @description As of web maps: at 0 the world has 256 pixels. */
                zoom: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mechanics who are online in a box, and the open jobs there: one by one, or counted in cells */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetView"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_grievances: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Written from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description All if not given */
                kind?: components["schemas"]["GrievanceKind"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description open if not given */
                status?: components["schemas"]["GrievanceStatus"];
                /** @description Written before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ListedGrievance"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_grievance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The grievance's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A grievance as an admin reads and answers it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminGrievance"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    answer_grievance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The grievance's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrievanceAnswer"];
            };
        };
        responses: {
            /** @description A grievance as an admin reads and answers it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminGrievance"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_heat_map: {
        parameters: {
            query: {
                /** @description west,south,east,north in degrees. If west is greater than east, the box crosses the date line. With more than 200,000 jobs, choose a smaller one, or fewer days. */
                bbox: string;
                /** @description First day; six days before `to` if not given */
                from?: components["schemas"]["Day"];
                /** @description Only of this hour of the day */
                hour?: number;
                /** @description Of H3, 8 if not given. With more than 2,000 cells, choose a lower one. */
                resolution?: number;
                /** @description Last day, included, at most 91 days later; today if not given */
                to?: components["schemas"]["Day"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Demand and waiting times by cells */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeatMap"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether new jobs are taken */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStopState"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    set_job_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewJobStop"];
            };
        };
        responses: {
            /** @description Whether new jobs are taken */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStopState"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    end_job_stop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description New jobs are taken */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_all_jobs: {
        parameters: {
            query?: {
                /** @description With this concern, or with any */
                concern?: components["schemas"]["ConcernFilter"];
                /** @description Of this customer */
                customer_id?: string;
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Of this mechanic */
                mechanic_profile_id?: string;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Words that begin words of the customer's or the mechanic's name or email, of the pickup address, the description or the beneficiary's name; or the last digits of one of their phone numbers, or the beginning or end of the vehicle's plate, at least 4 characters */
                q?: components["schemas"]["Text2To100"];
                /** @description Of this category */
                service_category_id?: string;
                /** @description With one of these statuses: `status=a&status=b`, or `status=a,b` */
                status?: components["schemas"]["JobStatus"][];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_JobForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_any_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job with the people on it, as only admins see them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobForAdmin"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    assign_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Assign"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    cancel_any_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminReason"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    quote_any_cancellation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fee for cancelling now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationQuote"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_job_candidates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_AssignmentCandidate"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    decide_no_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideNoShow"];
            };
        };
        responses: {
            /** @description A no-show that the mechanic reported */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoShow"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    decide_tow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideTow"];
            };
        };
        responses: {
            /** @description A tow that no position shows at its destination, as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TowReview"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job_dispatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Explains why each mechanic was, or was not, offered a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchRecord"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reassign_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminReason"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    resolve_dispute: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resolve"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    retry_any_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_job_share_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendShare"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_job_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendShare"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    waive_fee: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the service now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Live"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_mechanic_changes: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Asked for from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Asked for before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_MechanicChange"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    approve_mechanic_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic change's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mechanic's profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reject_mechanic_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic change's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithReason"];
            };
        };
        responses: {
            /** @description A mechanic's profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_mechanics: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Registered from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Words that begin words of the name or the email, or the last digits of the phone number, at least 4 */
                q?: components["schemas"]["Text2To100"];
                /** @description Only mechanics with this status */
                status?: components["schemas"]["MechanicStatus"];
                /** @description Registered before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_MechanicForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_mechanic_for_admin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A profile as admins see it: the fields of MechanicProfile, the person, and their documents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicForAdmin"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reinstate_mechanic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mechanic's profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reject_mechanic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithReason"];
            };
        };
        responses: {
            /** @description A mechanic's profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    suspend_mechanic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithReason"];
            };
        };
        responses: {
            /** @description A mechanic's profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    verify_mechanic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MechanicVerification"];
            };
        };
        responses: {
            /** @description A mechanic's profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_no_shows: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Reported from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description All if not given */
                status?: components["schemas"]["NoShowStatus"];
                /** @description Reported before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_NoShowForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_parked_payments: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Seen from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only what has this status. */
                status?: components["schemas"]["ParkedStatus"];
                /** @description Seen before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ParkedPayment"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    dismiss_parked_payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The parked payment's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleParkedPayment"];
            };
        };
        responses: {
            /** @description Money at the gateway that fits no payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedPayment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    refund_parked_payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The parked payment's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleParkedPayment"];
            };
        };
        responses: {
            /** @description Money at the gateway that fits no payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedPayment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_all_payments: {
        parameters: {
            query?: {
                /** @description Of this customer */
                customer_id?: string;
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description Only what is about this job. */
                job_id?: string;
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only what has this status. */
                status?: components["schemas"]["PaymentStatus"];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PaymentForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    ask_for_place: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlaceRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewlyAskedPlace"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_asked_place: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The place request's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A request as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskedPlace"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    use_asked_place: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The place request's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A request as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskedPlace"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_privacy_notices: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PublishedNotice"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_ratings: {
        parameters: {
            query?: {
                /** @description Only what is of this customer. */
                customer_id?: string;
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description Both if not given */
                is_hidden?: boolean;
                /** @description Only what is about this job. */
                job_id?: string;
                /** @description How many there are at most. */
                limit?: number;
                /** @description So many stars at most */
                max_score?: number;
                /** @description Only what is about this mechanic. */
                mechanic_profile_id?: string;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Both sides' if not given */
                rater?: components["schemas"]["Rater"];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RatingForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    hide_rating: {
        parameters: {
            query?: {
                /** @description `other` if not given */
                reason?: components["schemas"]["HiddenReason"];
            };
            header?: never;
            path: {
                /** @description The rating's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_all_refunds: {
        parameters: {
            query?: {
                /** @description How the payment was made */
                channel?: components["schemas"]["Channel"];
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only what has this status. */
                status?: components["schemas"]["ShownRefundStatus"];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RefundForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    mark_refund_paid: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The refund's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkRefundPaid"];
            };
        };
        responses: {
            /** @description A refund */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_settlements: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only those with this status */
                status?: components["schemas"]["SettlementStatus"];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SettlementForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    mark_settlement_paid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The settlement's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkSettlementPaid"];
            };
        };
        responses: {
            /** @description A mechanic's earnings in a period, added up once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settlement"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    run_settlements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunSettlements"];
            };
        };
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Settlement"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_sla: {
        parameters: {
            query?: {
                /** @description First day; six days before `to` if not given */
                from?: components["schemas"]["Day"];
                /** @description Last day, included, at most 91 days later; today if not given */
                to?: components["schemas"]["Day"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How fast help came in a period */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sla"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_stats: {
        parameters: {
            query?: {
                /** @description First day; six days before `to` if not given */
                from?: components["schemas"]["Day"];
                /** @description Last day, included, at most 91 days later; today if not given */
                to?: components["schemas"]["Day"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures of a period, in all, by day and by category */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the service, line by line, as the server that answers sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_tow_reviews: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Handed over from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description All if not given */
                status?: components["schemas"]["TowReviewStatus"];
                /** @description Handed over before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_TowReview"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Words that begin words of the name or the email; or the last digits of the phone number, also of one that they had in the last half year, or the beginning or end of the plate of a vehicle of theirs, at least 4 characters */
                q?: components["schemas"]["Text2To100"];
                /** @description Only who has this role. */
                role?: components["schemas"]["Role"];
                /** @description Only what has this status. */
                status?: components["schemas"]["UserStatus"];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AdminUser"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    find_or_create_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description There was one already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An account as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_consent_of_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The consent of a person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    set_job_limit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JobLimit"];
            };
        };
        responses: {
            /** @description An account as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    create_job_of_user: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewJob"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    estimate_job_of_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateRequest"];
            };
        };
        responses: {
            /** @description The price of help, and how soon it could come */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reinstate_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            /** @description An account as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    suspend_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuspendUser"];
            };
        };
        responses: {
            /** @description An account as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_unpaid_fees_of_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_UnpaidFee"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_vehicles_of_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_Vehicle"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    create_vehicle_of_user: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVehicle"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vehicle"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_upi_accounts_for_admin: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Added from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only those with this status */
                status?: components["schemas"]["VerificationStatus"];
                /** @description Added before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_UpiAccountForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_webhook_events: {
        parameters: {
            query?: {
                /** @description The event's name */
                event?: string;
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Received from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only what has this status. */
                status?: components["schemas"]["WebhookStatus"];
                /** @description Received before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WebhookEvent"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    dismiss_webhook_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook event's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DismissWebhookEvent"];
            };
        };
        responses: {
            /** @description An event of the inbox */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    replay_webhook_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook event's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An event of the inbox */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_all_withdrawals: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Asked for from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Of this mechanic */
                mechanic_profile_id?: string;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only those with this status */
                status?: components["schemas"]["WithdrawalStatus"];
                /** @description Asked for before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WithdrawalForAdmin"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    mark_withdrawal_failed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The withdrawal's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkWithdrawalFailed"];
            };
        };
        responses: {
            /** @description A withdrawal from a mechanic's wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    mark_withdrawal_paid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The withdrawal's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkWithdrawalPaid"];
            };
        };
        responses: {
            /** @description A withdrawal from a mechanic's wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_all_workshops: {
        parameters: {
            query?: {
                /** @description csv: all rows, without pages */
                format?: components["schemas"]["ListFormat"];
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description Those that customers can choose, or the others */
                is_active?: boolean;
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list, or all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Workshop"];
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    create_workshop: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkshop"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workshop"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_workshop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The workshop's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    update_workshop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The workshop's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkshopChanges"];
            };
        };
        responses: {
            /** @description A workshop that vehicles are towed to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workshop"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    asyncapi_document: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An AsyncAPI 3.0 document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    accept_invite: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvite"];
            };
        };
        responses: {
            /** @description A new pair of tokens, and the account that they belong to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_SignedIn"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    admin_login: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminLogin"];
            };
        };
        responses: {
            /** @description A new pair of tokens, and the account that they belong to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_SignedIn"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    begin_admin_sign_in: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            /** @description The page on which a sign-in continues */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_SignInBegun"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    complete_admin_sign_in: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteSignIn"];
            };
        };
        responses: {
            /** @description The tokens of a new session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_SignInCompleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Logout"];
            };
        };
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    refresh_tokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description For web pages with `X-Session: cookie`: a random text for each refresh, which is sent again only if there was no answer. Without it the browser's `User-Agent` takes its place. */
                "X-Attempt"?: string;
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Refresh"];
            };
        };
        responses: {
            /** @description A new pair of tokens, and the facts that an app needs at its start */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_Refreshed"];
                };
            };
            /** @description With `X-Session: cookie`: there is neither a cookie nor a token, so nobody is signed in */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_otp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendOtp"];
            };
        };
        responses: {
            /** @description How long the code is valid, and when it may be sent again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_OtpSent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_Sessions"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    verify_otp: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyOtp"];
            };
        };
        responses: {
            /** @description The tokens of a new session, and the facts that an app needs at the first sign-in of a device */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_Verified"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_call: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call between the two sides of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    accept_call: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call between the two sides of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    end_call: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call between the two sides of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reject_call: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call between the two sides of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    app_config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings that an app needs before anyone signs in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppConfig"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_demo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the demo city */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DemoState"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    play_demo: {
        parameters: {
            query?: {
                /** @description Where whoever asks is; with `lng`. Left out, the city plays where it is. */
                lat?: components["schemas"]["Latitude"];
                /** @description Where whoever asks is; with `lat`. */
                lng?: components["schemas"]["Longitude"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the demo city */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DemoState"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    demo_sign_in: {
        parameters: {
            query?: never;
            header?: {
                "X-Session"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DemoSignIn"];
            };
        };
        responses: {
            /** @description A new pair of tokens, and the account that they belong to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success_SignedIn"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    stop_demo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the demo city */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DemoState"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of a process that is alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    health_ready: {
        parameters: {
            query?: {
                /** @description Whether a standby that could take over counts as ready */
                standby_ok?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready, or with `standby_ok` a standby: `status` says which */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    identity_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Published keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityKeys"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    identity_configuration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider's metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityConfiguration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    make_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description An account of the embedded identity provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    begin_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorOwner"];
            };
        };
        responses: {
            /** @description The secret for an authenticator app */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSecondFactor"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    confirm_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorCode"];
            };
        };
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    issue_id_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordLogin"];
            };
        };
        responses: {
            /** @description The identity of the person who signed in, signed by the identity provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description As whom; both if not given */
                role?: components["schemas"]["ListRole"];
                /** @description With one of these statuses: `status=a&status=b`, or `status=a,b` */
                status?: components["schemas"]["JobStatus"][];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    create_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewJob"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    correct_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JobCorrection"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    arrive: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Arrive"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    issue_call_token_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials with which one person's device enters the job's room for a while */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    request_callback: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewCallback"];
            };
        };
        responses: {
            /** @description The customer's request to be called, as the customer and admins see it with the job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCallback"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    withdraw_callback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_job_calls: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Call"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    call_other_side: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    issue_call_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials with which one person's device enters the job's room for a while */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    cancel_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Cancel"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    quote_cancellation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fee for cancelling now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationQuote"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    complete_work: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteWork"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    contest_no_show: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContestNoShow"];
            };
        };
        responses: {
            /** @description A no-show that the mechanic reported */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoShow"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job_dispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A dispute about a job, as its customer, its mechanic and admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    dispute_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDispute"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_dispute_statements: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_DisputeStatement"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    add_dispute_statement: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDisputeStatement"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeStatement"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    start_driving: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_job_events: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Only what came after the event of this number. */
                since_seq?: number;
            };
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEvents"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_line_items: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_LineItem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    add_line_item: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLineItem"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    withdraw_line_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
                /** @description The line item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    amend_line_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
                /** @description The line item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AmendLineItem"];
            };
        };
        responses: {
            /** @description An item of the job's price beyond base and travel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    approve_line_item: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
                /** @description The line item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideLineItem"];
            };
        };
        responses: {
            /** @description An item of the job's price beyond base and travel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reject_line_item: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
                /** @description The line item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideLineItem"];
            };
        };
        responses: {
            /** @description An item of the job's price beyond base and travel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    load_vehicle: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoadVehicle"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job_location: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last known position of a job's mechanic */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobLocation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_messages: {
        parameters: {
            query?: {
                /** @description The newest messages before this event; not beside `since_seq` */
                before_seq?: number;
                /** @description How many there are at most. */
                limit?: number;
                /** @description The oldest messages after this event */
                since_seq?: number;
            };
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatMessages"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMessage"];
            };
        };
        responses: {
            /** @description It was sent before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    read_messages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadUpTo"];
            };
        };
        responses: {
            /** @description How far one side has read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatRead"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    navigate_elsewhere: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Navigating"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_no_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A no-show that the mechanic reported */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoShow"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    report_no_show: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_job_photos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_Photo"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    add_job_photo: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPhoto"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Photo"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_job_photo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
                /** @description The photo's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    rate_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRating"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rating"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job_ratings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ratings of the two sides of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRatings"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    release_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Release"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    retry_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job_route: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": components["schemas"]["Trail"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    share_job_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewShareLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    revoke_job_share_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
                /** @description The share link's id. */
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_job_shares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_ShareLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    share_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewShareLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    revoke_job_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
                /** @description The share link's id. */
                share_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    start_work: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartWork"];
            };
        };
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    stream_job: {
        parameters: {
            query?: {
                /** @description The last event that the client has */
                since_seq?: number;
                /** @description From POST /ws/ticket; once */
                ticket?: string;
            };
            header?: {
                /** @description The same, after a cut */
                "Last-Event-ID"?: number;
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the client leaves; a comment now and then shows that the stream lives. GET /asyncapi.json describes them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["JobStreamEvent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    take_back_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_job_timeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_TimelineEntry"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    propose_tow: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTow"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_way_ahead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": components["schemas"]["WayAhead"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    estimate_job: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateRequest"];
            };
        };
        responses: {
            /** @description The price of help, and how soon it could come */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Estimate"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_mechanic_card: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mechanic's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public part of a verified mechanic's profile, for anyone who is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicCard"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_mechanic_ratings: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description The mechanic's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_MechanicRating"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_my_mechanic_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A profile as its mechanic sees it: the fields of MechanicProfile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnMechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    update_my_mechanic_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProfileChanges"];
            };
        };
        responses: {
            /** @description A profile as its mechanic sees it: the fields of MechanicProfile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnMechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_my_waiting_advice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's advice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyWaitingAdvice"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    set_my_availability: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AvailabilityWish"];
            };
        };
        responses: {
            /** @description A mechanic's profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_my_mechanic_documents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_MechanicDocument"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    add_my_mechanic_document: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDocument"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicDocument"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_my_mechanic_document: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_my_location: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Points"];
            };
        };
        responses: {
            /** @description The outcome for the points of a message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationReceipt"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_my_lost_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_LostJob"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_my_offers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_Offer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_my_parking: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the caller waits somewhere */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyParking"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    park_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceToWait"];
            };
        };
        responses: {
            /** @description Whether the caller waits somewhere */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyParking"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    end_my_parking: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_my_mechanic_stats: {
        parameters: {
            query?: {
                /** @description 30 days before `to` if not given; at most 366 days before it */
                from?: components["schemas"]["Timestamp"];
                /** @description Divides the period into `steps` of so many seconds, at most 62 */
                step_s?: number;
                /** @description Now if not given; does not belong to the period */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mechanic's figures in a period */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicStats"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_my_trackers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trackers"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    connect_my_tracker: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTracker"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    remove_my_tracker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tracker's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    find_nearby_mechanics: {
        parameters: {
            query: {
                /** @description Degrees north (WGS 84). */
                lat: components["schemas"]["Latitude"];
                /** @description Degrees east (WGS 84). */
                lng: components["schemas"]["Longitude"];
                /** @description Only who offers this kind of help. */
                service_category_id: string;
                /** @description Only who serves such vehicles. */
                vehicle_type: components["schemas"]["VehicleType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mechanics who could help at a place now, without revealing who they are or exactly where */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NearbyMechanics"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    register_mechanic: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Registration"];
            };
        };
        responses: {
            /** @description Profile submitted */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MechanicProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_notifications: {
        parameters: {
            query?: {
                /** @description Of what happened from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description Both if not given */
                is_read?: boolean;
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Of what happened before this time */
                to?: components["schemas"]["Timestamp"];
                /** @description All if not given */
                type?: components["schemas"]["Kind"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Notification"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_notification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The notification's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A notification of the caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    read_notification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The notification's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A notification of the caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_notification_preferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The topics that are pushed to the caller's devices, and whether text messages and mail are sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    update_notification_preferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreferenceChanges"];
            };
        };
        responses: {
            /** @description The topics that are pushed to the caller's devices, and whether text messages and mail are sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_push_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_PushToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    register_push_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPushToken"];
            };
        };
        responses: {
            /** @description It was the caller's already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushToken"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    forget_push_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As it was registered, or the `id` that registering it gave: some proxies change the endpoint of a browser, which is a URL */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    read_all_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of the caller's unread notifications */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    count_unread_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of the caller's unread notifications */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_offer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job that a mechanic may take */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    accept_offer: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The offer's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    decline_offer: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The offer's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Decline"];
            };
        };
        responses: {
            /** @description A job that a mechanic may take */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_offer_photos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_OfferPhoto"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    see_offer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The offer's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    openapi_document: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_payments: {
        parameters: {
            query?: {
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description Only what is about this job. */
                job_id?: string;
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only what has this status. */
                status?: components["schemas"]["PaymentStatus"];
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    confirm_cash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmCash"];
            };
        };
        responses: {
            /** @description A payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_receipt: {
        parameters: {
            query?: {
                /** @description What the answer is written in; without it `Accept` decides. */
                format?: components["schemas"]["ReceiptFormat"];
            };
            header?: never;
            path: {
                /** @description The payment's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "text/html": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    refund_payment: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payment's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRefund"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    create_order: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description The one that is open already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderMade"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderMade"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_unpaid_fees_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_UnpaidFee"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_unpaid_fees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_UnpaidFee"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    verify_payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Verify"];
            };
        };
        responses: {
            /** @description A payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    take_webhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id; without one the body's SHA-256 stands for it */
                "X-Gateway-Event-Id"?: string;
                /** @description Hex HMAC-SHA256 of the body under `gateway.webhook_secret`, or while it is being replaced under the one before */
                "X-Gateway-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        responses: {
            /** @description Stored. `duplicate`: it was stored before; `ignored`: of a kind that is not acted upon; `error`: processing failed, and is retried or shown to admins */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTaken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    open_place_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhereAsked"];
                    "text/html": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    share_place: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SharePlace"];
            };
        };
        responses: {
            /** @description A request, as shown to anybody who has its link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhereAsked"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    search_places: {
        parameters: {
            query: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Rather near there; with `near_lng`. */
                near_lat?: components["schemas"]["Latitude"];
                /** @description Rather near there; with `near_lat`. */
                near_lng?: components["schemas"]["Longitude"];
                /** @description What to search for. Nothing is found by a name of more than 100 characters. */
                q: components["schemas"]["Text2To1000"];
            };
            header?: {
                /** @description The language of names, if there are names in it. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaceList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    find_address: {
        parameters: {
            query: {
                /** @description Degrees north (WGS 84). */
                lat: components["schemas"]["Latitude"];
                /** @description Degrees east (WGS 84). */
                lng: components["schemas"]["Longitude"];
            };
            header?: {
                /** @description The language of names, if there are names in it. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address at a point */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressAt"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_privacy_notice: {
        parameters: {
            query?: {
                language?: components["schemas"]["NoticeLanguage"];
                /** @description The newest if not given. */
                version?: number;
            };
            header?: {
                /** @description The language of the text, if there is one in it. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operator's statement about people's data, in one language */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrivacyNotice"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    pay_order: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the gateway gave the order. */
                gateway_order_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayOrder"];
            };
        };
        responses: {
            /** @description The gateway's answer to the app at the checkout, which the app passes on to POST /payments/verify */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaidOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_service_categories: {
        parameters: {
            query?: {
                /** @description Only those for this type */
                vehicle_type?: components["schemas"]["VehicleType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_ServiceCategory"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    create_service_category: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceCategory"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_service_category: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service category's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A kind of help */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceCategory"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_service_category: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service category's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    update_service_category: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service category's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CategoryChanges"];
            };
        };
        responses: {
            /** @description A kind of help */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceCategory"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    track_shared_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From POST /jobs/{id}/shares */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job as the holder of a link sees it: how far it is, and where help is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedJob"];
                    "text/html": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    call_mechanic_as_guest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    accept_call_as_guest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call as the guest of a link sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    end_call_as_guest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call as the guest of a link sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reject_call_as_guest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call as the guest of a link sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    signal_as_guest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSignal"];
            };
        };
        responses: {
            /** @description The outcome of a signal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signalled"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    issue_guest_call_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials with which one person's device enters the job's room for a while */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_guest_messages: {
        parameters: {
            query?: {
                /** @description The newest messages before this one; not beside `since_seq` */
                before_seq?: number;
                /** @description How many there are at most. */
                limit?: number;
                /** @description The oldest messages after this one */
                since_seq?: number;
            };
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedMessages"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_guest_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGuestMessage"];
            };
        };
        responses: {
            /** @description It was sent before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedMessage"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedMessage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    stream_as_guest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the client leaves or the link ends; a comment now and then shows that the stream lives */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["GuestStreamEvent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_shared_way_ahead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From POST /jobs/{id}/shares */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": components["schemas"]["WayAhead"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_admins: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_invites: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Only with this status */
                status?: components["schemas"]["InviteStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Invite"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    invite_admin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvite"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewlyInvited"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    revoke_invite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invite's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_log_filter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The filter of one server's log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogFilter"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    set_log_filter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetLogFilter"];
            };
        };
        responses: {
            /** @description The filter of one server's log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogFilter"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reset_log_filter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The filter of one server's log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogFilter"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    test_mail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewMailTest"];
            };
        };
        responses: {
            /** @description The mail server's answer to a test mail */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailTest"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    publish_privacy_notice: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPrivacyNotice"];
            };
        };
        responses: {
            /** @description Published; the text is shown in English */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrivacyNotice"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    test_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_TestedDevice"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    test_sms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSmsTest"];
            };
        };
        responses: {
            /** @description The provider's answer to a test message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsTest"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    end_admin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    change_desks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeDesks"];
            };
        };
        responses: {
            /** @description An account as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    change_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRole"];
            };
        };
        responses: {
            /** @description An account as admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reset_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    track_shared_job_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From POST /jobs/{id}/shares */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job as the holder of a link sees it: how far it is, and where help is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedJob"];
                    "text/html": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    issue_guest_call_token_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials with which one person's device enters the job's room for a while */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    call_mechanic_as_guest_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    accept_call_as_guest_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call as the guest of a link sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    end_call_as_guest_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call as the guest of a link sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reject_call_as_guest_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A call as the guest of a link sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedCall"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    signal_as_guest_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSignal"];
            };
        };
        responses: {
            /** @description The outcome of a signal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signalled"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_guest_messages_by_old_path: {
        parameters: {
            query?: {
                /** @description The newest messages before this one; not beside `since_seq` */
                before_seq?: number;
                /** @description How many there are at most. */
                limit?: number;
                /** @description The oldest messages after this one */
                since_seq?: number;
            };
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedMessages"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_guest_message_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGuestMessage"];
            };
        };
        responses: {
            /** @description It was sent before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedMessage"];
                };
            };
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedMessage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    stream_as_guest_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token, as it was handed out. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the client leaves or the link ends; a comment now and then shows that the stream lives */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["GuestStreamEvent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_shared_way_ahead_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From POST /jobs/{id}/shares */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": components["schemas"]["WayAhead"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    take_from_osmand: {
        parameters: {
            query: {
                /** @description Metres */
                accuracy?: number;
                /** @description Degrees clockwise from north */
                bearing?: number;
                /** @description The tracker's token; also as `deviceid` */
                id: string;
                /** @description Required, like `lon`, unless there is a `location` */
                lat?: components["schemas"]["Latitude"];
                /** @description Both in one, instead of `lat` and `lon` */
                location?: string;
                lon?: components["schemas"]["Longitude"];
                /** @description Knots */
                speed?: number;
                /** @description Seconds or milliseconds since 1970, or a date and a time; now if it is missing */
                timestamp?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome of a tracker's message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerReceipt"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    take_from_traccar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TraccarMessage"];
                "application/x-www-form-urlencoded": components["schemas"]["OsmAndPosition"];
            };
        };
        responses: {
            /** @description The outcome of a tracker's message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerReceipt"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    take_from_owntracks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OwnTracksMessage"];
            };
        };
        responses: {
            /** @description There is nothing to tell the app: the list is empty */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnTracksMessage"][];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The upload's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An uploaded file, or one that is announced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The upload's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    complete_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The upload's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An uploaded file, or one that is announced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    fetch_upload_content: {
        parameters: {
            query?: {
                /** @description Part of the signed link: when it ends, in seconds since 1970. */
                expires?: number;
                /** @description Part of the signed link. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description The upload's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/heic": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_upload_content: {
        parameters: {
            query?: {
                /** @description Part of the signed link: when it ends, in seconds since 1970. */
                expires?: number;
                /** @description Part of the signed link. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description The upload's id. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The bytes; their `content-type` is the one that was announced, or this one */
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description They arrived whole */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_upload_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The upload's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_upload_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The upload's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link that opens a file for anyone who has it, for a short time */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    presign_upload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUpload"];
            };
        };
        responses: {
            /** @description Announced */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresignedUpload"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's own account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    update_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateMe"];
            };
        };
        responses: {
            /** @description The caller's own account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_my_consent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The consent of a person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    give_my_consent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GivenConsent"];
            };
        };
        responses: {
            /** @description The consent of a person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    withdraw_my_consent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    send_email_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEmail"];
            };
        };
        responses: {
            /** @description A code that is on its way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailCodeSent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    remove_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    confirm_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmail"];
            };
        };
        responses: {
            /** @description The caller's own account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    export_my_data: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that the service stores about a person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_my_grievances: {
        parameters: {
            query?: {
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Grievance"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    write_grievance: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGrievance"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grievance"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    change_phone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePhone"];
            };
        };
        responses: {
            /** @description The number with which the caller signs in from now on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneChanged"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_vehicles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_Vehicle"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    create_vehicle: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVehicle"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vehicle"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_vehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The vehicle's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A vehicle of the caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vehicle"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_vehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The vehicle's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    update_vehicle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The vehicle's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VehicleChanges"];
            };
        };
        responses: {
            /** @description A vehicle of the caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vehicle"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_wallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mechanic's balances and totals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_my_disputes: {
        parameters: {
            query?: {
                /** @description Opened from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Both if not given */
                status?: components["schemas"]["DisputeStatus"];
                /** @description Opened before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Dispute"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    dispute_my_job: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMechanicDispute"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_my_dispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dispute's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A dispute about a job, as its customer, its mechanic and admins see it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_refunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_PaymentRefund"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_my_settlements: {
        parameters: {
            query?: {
                /** @description Made from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Made before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Settlement"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_settlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The settlement's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A mechanic's earnings in a period, added up once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settlement"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_wallet_transactions: {
        parameters: {
            query?: {
                /** @description Booked from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Booked before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WalletTransaction"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_upi_accounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_UpiAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    add_upi_account: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUpiAccount"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpiAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_upi_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UPI account's id. */
                upiAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A UPI account of a mechanic */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpiAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_upi_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UPI account's id. */
                upiAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    approve_upi_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UPI account's id. */
                upiAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A UPI account of a mechanic, with the names to compare, for admins */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpiAccountForAdmin"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    make_upi_account_default: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UPI account's id. */
                upiAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A UPI account of a mechanic */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpiAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    reject_upi_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UPI account's id. */
                upiAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RejectUpiAccount"];
            };
        };
        responses: {
            /** @description A UPI account of a mechanic, with the names to compare, for admins */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpiAccountForAdmin"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    verify_upi_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UPI account's id. */
                upiAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A UPI account of a mechanic */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpiAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_withdrawals: {
        parameters: {
            query?: {
                /** @description Asked for from this time on */
                from?: components["schemas"]["Timestamp"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Which page, from 1. */
                page?: number;
                /** @description Asked for before this time */
                to?: components["schemas"]["Timestamp"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Withdrawal"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    request_withdrawal: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWithdrawal"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_withdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The withdrawal's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A withdrawal from a mechanic's wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    open_place_request_by_old_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end of the link */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhereAsked"];
                    "text/html": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    list_workshops: {
        parameters: {
            query: {
                /** @description From where the distance counts: the pickup. */
                lat: components["schemas"]["Latitude"];
                /** @description How many there are at most. */
                limit?: number;
                /** @description Degrees east (WGS 84). */
                lng: components["schemas"]["Longitude"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["List_NearWorkshop"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    open_socket: {
        parameters: {
            query?: {
                /** @description From POST /ws/ticket; once */
                ticket?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    issue_ticket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ticket that opens one socket */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
}

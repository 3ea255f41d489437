// Written by scripts/types.mjs from openapi.json. Do not edit.

export interface paths {
  "/admin/audit-log": {
    get: {
      parameters: {
        query?: {
          action?: components["schemas"]["Text1To100"];
          actor_id?: string;
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          object_id?: string;
          object_type?: components["schemas"]["Text1To100"];
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_AuditEntry"]; "text/csv": string } };
      };
    };
  };
  "/admin/callbacks": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["CallbackStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_CallbackForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/callbacks/{job_id}/done": {
    post: {
      parameters: { path: { job_id: string } };
      requestBody: { content: { "application/json": components["schemas"]["CloseCallback"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Callback"] } } };
    };
  };
  "/admin/chargebacks": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["ChargebackStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_ChargebackForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/cluster": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["ClusterState"] } } } };
  };
  "/admin/config/dispatch": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["DispatchConfiguration"] } } } };
    put: {
      requestBody: { content: { "application/json": components["schemas"]["ChangeDispatch"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["DispatchConfiguration"] } } };
    };
  };
  "/admin/config/dispatch/versions": {
    get: {
      parameters: { query?: { limit?: number; page?: number } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_DispatchConfiguration"] } } };
    };
  };
  "/admin/dispatch/prices": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["DispatchPrices"] } } } };
  };
  "/admin/dispatch/roster": {
    get: {
      parameters: { query?: { days?: number } };
      responses: { 200: { content: { "application/json": components["schemas"]["Roster"] } } };
    };
  };
  "/admin/dispatch/roster/picture": {
    get: { parameters: { query?: { days?: number } }; responses: { 200: { content: { "image/svg+xml": string } } } };
  };
  "/admin/dispatch/switchback": {
    get: {
      parameters: { query?: { days?: number } };
      responses: { 200: { content: { "application/json": components["schemas"]["SwitchbackReport"] } } };
    };
  };
  "/admin/disputes": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["DisputeStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_DisputeForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/failed-pushes": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_FailedPush"]; "text/csv": string } };
      };
    };
  };
  "/admin/fleet": {
    get: {
      parameters: { query: { bbox: string; details?: boolean; zoom: number } };
      responses: { 200: { content: { "application/json": components["schemas"]["FleetView"] } } };
    };
  };
  "/admin/grievances": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          kind?: components["schemas"]["GrievanceKind"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["GrievanceStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_ListedGrievance"]; "text/csv": string } };
      };
    };
  };
  "/admin/grievances/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminGrievance"] } } };
    };
  };
  "/admin/grievances/{id}/answer": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["GrievanceAnswer"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminGrievance"] } } };
    };
  };
  "/admin/heatmap": {
    get: {
      parameters: {
        query: {
          bbox: string;
          from?: components["schemas"]["Day"];
          hour?: number;
          resolution?: number;
          to?: components["schemas"]["Day"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["HeatMap"] } } };
    };
  };
  "/admin/job-stop": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["JobStopState"] } } } };
    put: {
      requestBody: { content: { "application/json": components["schemas"]["NewJobStop"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["JobStopState"] } } };
    };
    delete: { responses: { 204: {} } };
  };
  "/admin/jobs": {
    get: {
      parameters: {
        query?: {
          concern?: components["schemas"]["ConcernFilter"];
          customer_id?: string;
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          mechanic_profile_id?: string;
          page?: number;
          q?: components["schemas"]["Text2To100"];
          service_category_id?: string;
          status?: components["schemas"]["JobStatus"][];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_JobForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/jobs/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["JobForAdmin"] } } };
    };
  };
  "/admin/jobs/{id}/assign": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["Assign"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/admin/jobs/{id}/cancel": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["AdminReason"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/admin/jobs/{id}/cancellation-quote": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["CancellationQuote"] } } };
    };
  };
  "/admin/jobs/{id}/candidates": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_AssignmentCandidate"] } } };
    };
  };
  "/admin/jobs/{id}/decide-no-show": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["DecideNoShow"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["NoShow"] } } };
    };
  };
  "/admin/jobs/{id}/decide-tow": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["DecideTow"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["TowReview"] } } };
    };
  };
  "/admin/jobs/{id}/dispatch": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["DispatchRecord"] } } };
    };
  };
  "/admin/jobs/{id}/extend-promise": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["ExtendPromise"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerJob"] } } };
    };
  };
  "/admin/jobs/{id}/reassign": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["AdminReason"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/admin/jobs/{id}/resolve": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["Resolve"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/admin/jobs/{id}/retry": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/admin/jobs/{id}/share": {
    /** @deprecated */
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["SendShare"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["ShareLink"] } } };
    };
  };
  "/admin/jobs/{id}/shares": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["SendShare"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["ShareLink"] } } };
    };
  };
  "/admin/jobs/{id}/waive-fee": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/admin/live": { get: { responses: { 200: { content: { "application/json": components["schemas"]["Live"] } } } } };
  "/admin/mechanic-changes": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_MechanicChange"]; "text/csv": string } };
      };
    };
  };
  "/admin/mechanic-changes/{id}/approve": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/admin/mechanic-changes/{id}/reject": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["WithReason"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/admin/mechanics": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          q?: components["schemas"]["Text2To100"];
          status?: components["schemas"]["MechanicStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_MechanicForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/mechanics/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicForAdmin"] } } };
    };
  };
  "/admin/mechanics/{id}/reinstate": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/admin/mechanics/{id}/reject": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["WithReason"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/admin/mechanics/{id}/suspend": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["WithReason"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/admin/mechanics/{id}/verify": {
    post: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["MechanicVerification"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/admin/no-shows": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["NoShowStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_NoShowForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/organisation-members/{id}": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/admin/organisations": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          kind?: components["schemas"]["OrganisationKind"];
          limit?: number;
          page?: number;
          q?: components["schemas"]["Text2To100"];
          status?: components["schemas"]["OrganisationStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_Organisation"]; "text/csv": string } };
      };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewOrganisation"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Organisation"] } } };
    };
  };
  "/admin/organisations/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Organisation"] } } };
    };
    patch: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["OrganisationChanges"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Organisation"] } } };
    };
  };
  "/admin/organisations/{id}/contracts": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_PartnerContract"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewContract"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["PartnerContract"] } } };
    };
  };
  "/admin/organisations/{id}/keys": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_PartnerKey"] } } };
    };
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewPartnerKey"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewlyMadeKey"] } } };
    };
  };
  "/admin/organisations/{id}/members": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_OrganisationMember"] } } };
    };
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewOrganisationMember"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["OrganisationMember"] } } };
    };
  };
  "/admin/parked-payments": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["ParkedStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_ParkedPayment"]; "text/csv": string } };
      };
    };
  };
  "/admin/parked-payments/{id}/dismiss": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["SettleParkedPayment"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["ParkedPayment"] } } };
    };
  };
  "/admin/parked-payments/{id}/refund": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["SettleParkedPayment"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["ParkedPayment"] } } };
    };
  };
  "/admin/partner-bills": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          organisation_id?: string;
          outcome?: components["schemas"]["OutcomeKind"];
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_PartnerBillForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/partner-cases": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          organisation_id?: string;
          page?: number;
          q?: components["schemas"]["Text1To64"];
          status?: components["schemas"]["CaseStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_AdminCaseEntry"]; "text/csv": string } };
      };
    };
  };
  "/admin/partner-cases/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminPartnerCase"] } } };
    };
  };
  "/admin/partner-cases/{id}/accept": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["AcceptOfferedCase"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminPartnerCase"] } } };
    };
  };
  "/admin/partner-cases/{id}/ask-for-call": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminPartnerCase"] } } };
    };
  };
  "/admin/partner-cases/{id}/documents": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_CaseDocument"] } } };
    };
  };
  "/admin/partner-cases/{id}/refuse": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["RefuseOfferedCase"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminPartnerCase"] } } };
    };
  };
  "/admin/partner-contracts/{id}/end": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerContract"] } } };
    };
  };
  "/admin/partner-deliveries": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          organisation_id?: string;
          page?: number;
          status?: components["schemas"]["WebhookDeliveryStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_DeliveryForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/partner-keys/{id}": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/admin/partner-keys/{id}/rotate": {
    post: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["KeyRotation"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewlyMadeKey"] } } };
    };
  };
  "/admin/partner-offers": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_WaitingOffer"] } } } };
  };
  "/admin/payments": {
    get: {
      parameters: {
        query?: {
          customer_id?: string;
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          job_id?: string;
          limit?: number;
          page?: number;
          status?: components["schemas"]["PaymentStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_PaymentForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/place-requests": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewPlaceRequest"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewlyAskedPlace"] } } };
    };
  };
  "/admin/place-requests/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["AskedPlace"] } } };
    };
  };
  "/admin/place-requests/{id}/use": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["AskedPlace"] } } };
    };
  };
  "/admin/privacy-notices": {
    get: {
      parameters: { query?: { limit?: number; page?: number } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_PublishedNotice"] } } };
    };
  };
  "/admin/ratings": {
    get: {
      parameters: {
        query?: {
          customer_id?: string;
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          is_hidden?: boolean;
          job_id?: string;
          limit?: number;
          max_score?: number;
          mechanic_profile_id?: string;
          page?: number;
          rater?: components["schemas"]["Rater"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_RatingForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/ratings/{id}": {
    delete: {
      parameters: { query?: { reason?: components["schemas"]["HiddenReason"] }; path: { id: string } };
      responses: { 204: {} };
    };
  };
  "/admin/refunds": {
    get: {
      parameters: {
        query?: {
          channel?: components["schemas"]["Channel"];
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["ShownRefundStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_RefundForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/refunds/{id}/mark-paid": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["MarkRefundPaid"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Refund"] } } };
    };
  };
  "/admin/service-categories/{id}/questions": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["CategoryQuestions"] } } };
    };
    put: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewQuestions"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["CategoryQuestions"] } } };
    };
  };
  "/admin/settlements": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["SettlementStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_SettlementForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/settlements/{id}/mark-paid": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["MarkSettlementPaid"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Settlement"] } } };
    };
  };
  "/admin/settlements/run": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["RunSettlements"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Settlement"] } } };
    };
  };
  "/admin/sla": {
    get: {
      parameters: { query?: { from?: components["schemas"]["Day"]; to?: components["schemas"]["Day"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Sla"] } } };
    };
  };
  "/admin/stats": {
    get: {
      parameters: { query?: { from?: components["schemas"]["Day"]; to?: components["schemas"]["Day"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Stats"] } } };
    };
  };
  "/admin/status": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["Status"] } } } };
  };
  "/admin/tow-reviews": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["TowReviewStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_TowReview"]; "text/csv": string } };
      };
    };
  };
  "/admin/users": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          q?: components["schemas"]["Text2To100"];
          role?: components["schemas"]["Role"];
          status?: components["schemas"]["UserStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_AdminUser"]; "text/csv": string } };
      };
    };
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewUser"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["AdminUser"] } };
        201: { content: { "application/json": components["schemas"]["AdminUser"] } };
      };
    };
  };
  "/admin/users/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminUser"] } } };
    };
  };
  "/admin/users/{id}/consent": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Consent"] } } };
    };
  };
  "/admin/users/{id}/job-limit": {
    put: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["JobLimit"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminUser"] } } };
    };
  };
  "/admin/users/{id}/jobs": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewJob"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/admin/users/{id}/jobs/estimate": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["EstimateRequest"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Estimate"] } } };
    };
  };
  "/admin/users/{id}/reinstate": {
    post: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["NoFields"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminUser"] } } };
    };
  };
  "/admin/users/{id}/suspend": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["SuspendUser"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminUser"] } } };
    };
  };
  "/admin/users/{id}/unpaid-fees": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_UnpaidFee"] } } };
    };
  };
  "/admin/users/{id}/vehicles": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_Vehicle"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewVehicle"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Vehicle"] } } };
    };
  };
  "/admin/wallet/upi": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["VerificationStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_UpiAccountForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/webhook-events": {
    get: {
      parameters: {
        query?: {
          event?: string;
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["WebhookStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_WebhookEvent"]; "text/csv": string } };
      };
    };
  };
  "/admin/webhook-events/{id}/dismiss": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["DismissWebhookEvent"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["WebhookEvent"] } } };
    };
  };
  "/admin/webhook-events/{id}/replay": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["WebhookEvent"] } } };
    };
  };
  "/admin/withdrawals": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          mechanic_profile_id?: string;
          page?: number;
          status?: components["schemas"]["WithdrawalStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_WithdrawalForAdmin"]; "text/csv": string } };
      };
    };
  };
  "/admin/withdrawals/{id}/mark-failed": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["MarkWithdrawalFailed"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Withdrawal"] } } };
    };
  };
  "/admin/withdrawals/{id}/mark-paid": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["MarkWithdrawalPaid"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Withdrawal"] } } };
    };
  };
  "/admin/workshops": {
    get: {
      parameters: {
        query?: {
          format?: components["schemas"]["ListFormat"];
          from?: components["schemas"]["Timestamp"];
          is_active?: boolean;
          limit?: number;
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: {
        200: { content: { "application/json": components["schemas"]["Page_Workshop"]; "text/csv": string } };
      };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewWorkshop"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Workshop"] } } };
    };
  };
  "/admin/workshops/{id}": {
    delete: { parameters: { path: { id: string } }; responses: { 204: {} } };
    patch: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["WorkshopChanges"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Workshop"] } } };
    };
  };
  "/asyncapi.json": { get: { responses: { 200: { content: { "application/json": unknown } } } } };
  "/auth/accept-invite": {
    post: {
      parameters: { header?: { "X-Session"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["AcceptInvite"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_SignedIn"] } } };
    };
  };
  "/auth/admin-login": {
    post: {
      parameters: { header?: { "X-Session"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["AdminLogin"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_SignedIn"] } } };
    };
  };
  "/auth/admin-sign-in": {
    post: {
      parameters: { header?: { "X-Session"?: string } };
      requestBody?: { content: { "application/json": components["schemas"]["NoFields"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_SignInBegun"] } } };
    };
  };
  "/auth/admin-sign-in/complete": {
    post: {
      parameters: { header?: { "X-Session"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["CompleteSignIn"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_SignInCompleted"] } } };
    };
  };
  "/auth/logout": {
    post: {
      parameters: { header?: { "X-Session"?: string } };
      requestBody?: { content: { "application/json": components["schemas"]["Logout"] } };
      responses: { 204: {} };
    };
  };
  "/auth/refresh": {
    post: {
      parameters: { header?: { "X-Attempt"?: string; "X-Session"?: string } };
      requestBody?: { content: { "application/json": components["schemas"]["Refresh"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_Refreshed"] } }; 204: {} };
    };
  };
  "/auth/send-otp": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["SendOtp"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_OtpSent"] } } };
    };
  };
  "/auth/sessions": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["Success_Sessions"] } } } };
  };
  "/auth/sessions/{id}": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/auth/verify-otp": {
    post: {
      parameters: { header?: { "X-Session"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["VerifyOtp"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_Verified"] } } };
    };
  };
  "/calls/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Call"] } } };
    };
  };
  "/calls/{id}/accept": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Call"] } } };
    };
  };
  "/calls/{id}/end": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Call"] } } };
    };
  };
  "/calls/{id}/reject": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Call"] } } };
    };
  };
  "/config": { get: { responses: { 200: { content: { "application/json": components["schemas"]["AppConfig"] } } } } };
  "/demo": { get: { responses: { 200: { content: { "application/json": components["schemas"]["DemoState"] } } } } };
  "/demo/play": {
    post: {
      parameters: { query?: { lat?: components["schemas"]["Latitude"]; lng?: components["schemas"]["Longitude"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["DemoState"] } } };
    };
  };
  "/demo/sign-in": {
    post: {
      parameters: { header?: { "X-Session"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["DemoSignIn"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Success_SignedIn"] } } };
    };
  };
  "/demo/stop": {
    post: { responses: { 200: { content: { "application/json": components["schemas"]["DemoState"] } } } };
  };
  "/health": { get: { responses: { 200: { content: { "application/json": components["schemas"]["Health"] } } } } };
  "/health/ready": {
    get: {
      parameters: { query?: { standby_ok?: boolean } };
      responses: { 200: { content: { "application/json": components["schemas"]["Ready"] } } };
    };
  };
  "/idp/.well-known/jwks.json": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["IdentityKeys"] } } } };
  };
  "/idp/.well-known/openid-configuration": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["IdentityConfiguration"] } } } };
  };
  "/idp/accounts": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewAccount"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["IdentityAccount"] } } };
    };
  };
  "/idp/second-factor": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["SecondFactorOwner"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["NewSecondFactor"] } } };
    };
  };
  "/idp/second-factor/confirm": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["SecondFactorCode"] } };
      responses: { 204: {} };
    };
  };
  "/idp/token": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["PasswordLogin"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["IdToken"] } } };
    };
  };
  "/jobs": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          role?: components["schemas"]["ListRole"];
          status?: components["schemas"]["JobStatus"][];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Job"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewJob"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
    patch: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["JobCorrection"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/arrive": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["Arrive"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/call/token": {
    /** @deprecated */
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["CallToken"] } } };
    };
  };
  "/jobs/{id}/callback": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["NewCallback"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["JobCallback"] } } };
    };
    delete: { parameters: { path: { id: string } }; responses: { 204: {} } };
  };
  "/jobs/{id}/calls": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Call"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 201: { content: { "application/json": components["schemas"]["Call"] } } };
    };
  };
  "/jobs/{id}/calls/token": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["CallToken"] } } };
    };
  };
  "/jobs/{id}/cancel": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["Cancel"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/cancellation-quote": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["CancellationQuote"] } } };
    };
  };
  "/jobs/{id}/complete": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["CompleteWork"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/contest-no-show": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["ContestNoShow"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["NoShow"] } } };
    };
  };
  "/jobs/{id}/dispute": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Dispute"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewDispute"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Dispute"] } } };
    };
  };
  "/jobs/{id}/dispute/statements": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_DisputeStatement"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewDisputeStatement"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["DisputeStatement"] } } };
    };
  };
  "/jobs/{id}/en-route": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/events": {
    get: {
      parameters: { query?: { limit?: number; since_seq?: number }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["JobEvents"] } } };
    };
  };
  "/jobs/{id}/line-items": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_LineItem"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewLineItem"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/jobs/{id}/line-items/{item_id}": {
    delete: { parameters: { path: { id: string; item_id: string } }; responses: { 204: {} } };
    patch: {
      parameters: { path: { id: string; item_id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["AmendLineItem"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/jobs/{id}/line-items/{item_id}/approve": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string; item_id: string } };
      requestBody: { content: { "application/json": components["schemas"]["DecideLineItem"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/jobs/{id}/line-items/{item_id}/reject": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string; item_id: string } };
      requestBody: { content: { "application/json": components["schemas"]["DecideLineItem"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/jobs/{id}/load": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["LoadVehicle"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/location": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["JobLocation"] } } };
    };
  };
  "/jobs/{id}/messages": {
    get: {
      parameters: { query?: { before_seq?: number; limit?: number; since_seq?: number }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["ChatMessages"] } } };
    };
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewMessage"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["Message"] } };
        201: { content: { "application/json": components["schemas"]["Message"] } };
      };
    };
  };
  "/jobs/{id}/messages/read": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["ReadUpTo"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["ChatRead"] } } };
    };
  };
  "/jobs/{id}/navigating": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["Navigating"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/no-show": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["NoShow"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/photos": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_Photo"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewPhoto"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Photo"] } } };
    };
  };
  "/jobs/{id}/photos/{item_id}": {
    delete: { parameters: { path: { id: string; item_id: string } }; responses: { 204: {} } };
  };
  "/jobs/{id}/rating": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewRating"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Rating"] } } };
    };
  };
  "/jobs/{id}/ratings": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["JobRatings"] } } };
    };
  };
  "/jobs/{id}/release": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["Release"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/retry": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/route": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/geo+json": components["schemas"]["Trail"] } } };
    };
  };
  "/jobs/{id}/share": {
    /** @deprecated */
    post: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["NewShare"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewShareLink"] } } };
    };
  };
  "/jobs/{id}/share/{share_id}": {
    /** @deprecated */
    delete: { parameters: { path: { id: string; share_id: string } }; responses: { 204: {} } };
  };
  "/jobs/{id}/shares": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_ShareLink"] } } };
    };
    post: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["NewShare"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewShareLink"] } } };
    };
  };
  "/jobs/{id}/shares/{share_id}": {
    delete: { parameters: { path: { id: string; share_id: string } }; responses: { 204: {} } };
  };
  "/jobs/{id}/start": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["StartWork"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/stream": {
    get: {
      parameters: {
        query?: { since_seq?: number; ticket?: string };
        header?: { "Last-Event-ID"?: number };
        path: { id: string };
      };
      responses: { 200: { content: { "text/event-stream": components["schemas"]["JobStreamEvent"] } } };
    };
  };
  "/jobs/{id}/take-back": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/jobs/{id}/timeline": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_TimelineEntry"] } } };
    };
  };
  "/jobs/{id}/tow": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewTow"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/jobs/{id}/way-ahead": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/geo+json": components["schemas"]["WayAhead"] } } };
    };
  };
  "/jobs/estimate": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["EstimateRequest"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Estimate"] } } };
    };
  };
  "/mechanics/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicCard"] } } };
    };
  };
  "/mechanics/{id}/ratings": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_MechanicRating"] } } };
    };
  };
  "/mechanics/me": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["OwnMechanicProfile"] } } } };
    patch: {
      requestBody?: { content: { "application/json": components["schemas"]["ProfileChanges"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["OwnMechanicProfile"] } } };
    };
  };
  "/mechanics/me/advice": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["MyWaitingAdvice"] } } } };
  };
  "/mechanics/me/availability": {
    put: {
      requestBody: { content: { "application/json": components["schemas"]["AvailabilityWish"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/mechanics/me/documents": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_MechanicDocument"] } } } };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewDocument"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["MechanicDocument"] } } };
    };
  };
  "/mechanics/me/documents/{id}": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/mechanics/me/location": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["Points"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LocationReceipt"] } } };
    };
  };
  "/mechanics/me/lost-jobs": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_LostJob"] } } } };
  };
  "/mechanics/me/offers": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_Offer"] } } } };
  };
  "/mechanics/me/parked": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["MyParking"] } } } };
    put: {
      requestBody: { content: { "application/json": components["schemas"]["PlaceToWait"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["MyParking"] } } };
    };
    delete: { responses: { 204: {} } };
  };
  "/mechanics/me/stats": {
    get: {
      parameters: {
        query?: { from?: components["schemas"]["Timestamp"]; step_s?: number; to?: components["schemas"]["Timestamp"] };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["MechanicStats"] } } };
    };
  };
  "/mechanics/me/trackers": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["Trackers"] } } } };
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewTracker"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["TrackerToken"] } } };
    };
  };
  "/mechanics/me/trackers/{id}": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/mechanics/nearby": {
    get: {
      parameters: {
        query: {
          lat: components["schemas"]["Latitude"];
          lng: components["schemas"]["Longitude"];
          service_category_id: string;
          vehicle_type: components["schemas"]["VehicleType"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["NearbyMechanics"] } } };
    };
  };
  "/mechanics/register": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["Registration"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["MechanicProfile"] } } };
    };
  };
  "/metrics": { get: { responses: { 200: { content: { "text/plain": string } } } } };
  "/notifications": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          is_read?: boolean;
          limit?: number;
          page?: number;
          to?: components["schemas"]["Timestamp"];
          type?: components["schemas"]["Kind"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Notification"] } } };
    };
  };
  "/notifications/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Notification"] } } };
    };
  };
  "/notifications/{id}/read": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Notification"] } } };
    };
  };
  "/notifications/preferences": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["Preferences"] } } } };
    patch: {
      requestBody?: { content: { "application/json": components["schemas"]["PreferenceChanges"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Preferences"] } } };
    };
  };
  "/notifications/push-tokens": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_PushToken"] } } } };
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewPushToken"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["PushToken"] } };
        201: { content: { "application/json": components["schemas"]["PushToken"] } };
      };
    };
  };
  "/notifications/push-tokens/{token}": { delete: { parameters: { path: { token: string } }; responses: { 204: {} } } };
  "/notifications/read-all": {
    post: { responses: { 200: { content: { "application/json": components["schemas"]["UnreadCount"] } } } };
  };
  "/notifications/unread-count": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["UnreadCount"] } } } };
  };
  "/offers/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Offer"] } } };
    };
  };
  "/offers/{id}/accept": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Job"] } } };
    };
  };
  "/offers/{id}/decline": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["Decline"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Offer"] } } };
    };
  };
  "/offers/{id}/photos": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_OfferPhoto"] } } };
    };
  };
  "/offers/{id}/seen": { post: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/openapi.json": { get: { responses: { 200: { content: { "application/json": unknown } } } } };
  "/partner": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["ActingPartner"] } } };
    };
  };
  "/partner/bills": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          outcome?: components["schemas"]["OutcomeKind"];
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
        header?: { "Roadcall-Organisation"?: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_PartnerBill"] } } };
    };
  };
  "/partner/cases": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          reference?: components["schemas"]["Text1To64"];
          status?: components["schemas"]["CaseStatus"];
          to?: components["schemas"]["Timestamp"];
        };
        header?: { "Roadcall-Organisation"?: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_CaseEntry"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewCase"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["PartnerCase"] } };
        201: { content: { "application/json": components["schemas"]["PartnerCase"] } };
      };
    };
  };
  "/partner/cases/{id}": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerCase"] } } };
    };
  };
  "/partner/cases/{id}/close": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerCase"] } } };
    };
  };
  "/partner/cases/{id}/documents": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_CaseDocument"] } } };
    };
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewCaseDocument"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["CaseDocument"] } };
        201: { content: { "application/json": components["schemas"]["CaseDocument"] } };
      };
    };
  };
  "/partner/cases/{id}/documents/{item_id}": {
    delete: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string; item_id: string } };
      responses: { 204: {} };
    };
  };
  "/partner/cases/{id}/events": {
    get: {
      parameters: {
        query?: { limit?: number; since_seq?: number };
        header?: { "Roadcall-Organisation"?: string };
        path: { id: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerEvents"] } } };
    };
  };
  "/partner/cases/{id}/jobs": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewCaseJob"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["PartnerJob"] } } };
    };
  };
  "/partner/cases/{id}/uploads": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewCaseFile"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["PresignedUpload"] } } };
    };
  };
  "/partner/cases/by-reference/{reference}": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { reference: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerCase"] } } };
    };
  };
  "/partner/contracts": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; header?: { "Roadcall-Organisation"?: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_PartnerContract"] } } };
    };
  };
  "/partner/coverage": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["CoverageRequest"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Coverage"] } } };
    };
  };
  "/partner/deliveries": {
    get: {
      parameters: {
        query?: {
          case_id?: string;
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["WebhookDeliveryStatus"];
          subscription_id?: string;
          to?: components["schemas"]["Timestamp"];
        };
        header?: { "Roadcall-Organisation"?: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Delivery"] } } };
    };
  };
  "/partner/deliveries/replay": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewDeliveryReplay"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["DeliveryReplay"] } } };
    };
  };
  "/partner/drivers": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; header?: { "Roadcall-Organisation"?: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_FleetDriver"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewFleetDriver"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["FleetDriver"] } } };
    };
  };
  "/partner/drivers/{id}": {
    delete: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 204: {} };
    };
  };
  "/partner/drivers/import": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["DriverSheet"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["ImportedSheet"] } } };
    };
  };
  "/partner/jobs/{id}": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerJob"] } } };
    };
  };
  "/partner/jobs/{id}/cancel": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["CancelAccountJob"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerJob"] } } };
    };
  };
  "/partner/jobs/{id}/line-items/{item_id}/approve": {
    post: {
      parameters: {
        header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string };
        path: { id: string; item_id: string };
      };
      requestBody: { content: { "application/json": components["schemas"]["DecideLineItem"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/partner/jobs/{id}/line-items/{item_id}/reject": {
    post: {
      parameters: {
        header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string };
        path: { id: string; item_id: string };
      };
      requestBody: { content: { "application/json": components["schemas"]["DecideLineItem"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/partner/jobs/{id}/location": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["AccountJobPosition"] } } };
    };
  };
  "/partner/jobs/{id}/photos": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_PartnerPhoto"] } } };
    };
  };
  "/partner/jobs/{id}/promise/accept": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerJob"] } } };
    };
  };
  "/partner/jobs/{id}/promise/refuse": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["RefusePromise"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerJob"] } } };
    };
  };
  "/partner/jobs/{id}/retry": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerJob"] } } };
    };
  };
  "/partner/jobs/{id}/shares": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewShareLink"] } } };
    };
  };
  "/partner/keys": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; header?: { "Roadcall-Organisation"?: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_PartnerKey"] } } };
    };
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewOwnKey"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewlyMadeKey"] } } };
    };
  };
  "/partner/keys/{id}": {
    delete: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 204: {} };
    };
  };
  "/partner/keys/{id}/rotate": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["KeyRotation"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewlyMadeKey"] } } };
    };
  };
  "/partner/offers": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewCase"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["PartnerCase"] } };
        201: { content: { "application/json": components["schemas"]["PartnerCase"] } };
      };
    };
  };
  "/partner/offers/{id}": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerCase"] } } };
    };
  };
  "/partner/offers/{id}/confirm": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["ConfirmOfferedCase"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerCase"] } } };
    };
  };
  "/partner/offers/{id}/withdraw": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerCase"] } } };
    };
  };
  "/partner/report": {
    get: {
      parameters: {
        query?: { from?: components["schemas"]["Timestamp"]; to?: components["schemas"]["Timestamp"] };
        header?: { "Roadcall-Organisation"?: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["PartnerReport"] } } };
    };
  };
  "/partner/subscriptions": {
    get: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_WebhookSubscription"] } } };
    };
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewSubscription"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["SubscriptionSecret"] } } };
    };
  };
  "/partner/subscriptions/{id}": {
    delete: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 204: {} };
    };
    patch: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["SubscriptionPatch"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["WebhookSubscription"] } } };
    };
  };
  "/partner/subscriptions/{id}/rotate-secret": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["RotateWebhookSecret"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["SubscriptionSecret"] } } };
    };
  };
  "/partner/subscriptions/{id}/test": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["WebhookTrial"] } } };
    };
  };
  "/partner/subscriptions/{id}/verify": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string }; path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["WebhookSubscription"] } } };
    };
  };
  "/partner/vehicles": {
    get: {
      parameters: { query?: { limit?: number; page?: number }; header?: { "Roadcall-Organisation"?: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Vehicle"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string; "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewVehicle"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Vehicle"] } } };
    };
  };
  "/partner/vehicles/import": {
    post: {
      parameters: { header?: { "Roadcall-Organisation"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["VehicleSheet"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["ImportedSheet"] } } };
    };
  };
  "/payments": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          job_id?: string;
          limit?: number;
          page?: number;
          status?: components["schemas"]["PaymentStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Payment"] } } };
    };
  };
  "/payments/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Payment"] } } };
    };
  };
  "/payments/{id}/cash-confirm": {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["ConfirmCash"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Payment"] } } };
    };
  };
  "/payments/{id}/receipt": {
    get: {
      parameters: { query?: { format?: components["schemas"]["ReceiptFormat"] }; path: { id: string } };
      responses: { 200: { content: { "application/pdf": string; "text/html": string } } };
    };
  };
  "/payments/{id}/refunds": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string }; path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewRefund"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Refund"] } } };
    };
  };
  "/payments/orders": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody?: { content: { "application/json": components["schemas"]["NewOrder"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["OrderMade"] } };
        201: { content: { "application/json": components["schemas"]["OrderMade"] } };
      };
    };
  };
  "/payments/outstanding-fees": {
    /** @deprecated */
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_UnpaidFee"] } } } };
  };
  "/payments/unpaid-fees": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_UnpaidFee"] } } } };
  };
  "/payments/verify": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["Verify"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Payment"] } } };
    };
  };
  "/payments/webhook": {
    post: {
      parameters: { header: { "X-Gateway-Event-Id"?: string; "X-Gateway-Signature": string } };
      requestBody: { content: { "application/json": components["schemas"]["Webhook"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["WebhookTaken"] } } };
    };
  };
  "/place-requests/{token}": {
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["WhereAsked"]; "text/html": string } } };
    };
    post: {
      parameters: { path: { token: string } };
      requestBody: { content: { "application/json": components["schemas"]["SharePlace"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["WhereAsked"] } } };
    };
  };
  "/places": {
    get: {
      parameters: {
        query: {
          limit?: number;
          near_lat?: components["schemas"]["Latitude"];
          near_lng?: components["schemas"]["Longitude"];
          q: components["schemas"]["Text2To1000"];
        };
        header?: { "Accept-Language"?: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["PlaceList"] } } };
    };
  };
  "/places/reverse": {
    get: {
      parameters: {
        query: { lat: components["schemas"]["Latitude"]; lng: components["schemas"]["Longitude"] };
        header?: { "Accept-Language"?: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["AddressAt"] } } };
    };
  };
  "/privacy-notice": {
    get: {
      parameters: {
        query?: { language?: components["schemas"]["NoticeLanguage"]; version?: number };
        header?: { "Accept-Language"?: string };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["PrivacyNotice"] } } };
    };
  };
  "/sandbox/gateway/orders/{gateway_order_id}/pay": {
    post: {
      parameters: { path: { gateway_order_id: string } };
      requestBody: { content: { "application/json": components["schemas"]["PayOrder"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["PaidOrder"] } } };
    };
  };
  "/service-categories": {
    get: {
      parameters: { query?: { vehicle_type?: components["schemas"]["VehicleType"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_ServiceCategory"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewCategory"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["ServiceCategory"] } } };
    };
  };
  "/service-categories/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["ServiceCategory"] } } };
    };
    delete: { parameters: { path: { id: string } }; responses: { 204: {} } };
    patch: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["CategoryChanges"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["ServiceCategory"] } } };
    };
  };
  "/shares/{token}": {
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedJob"]; "text/html": string } } };
    };
  };
  "/shares/{token}/calls": {
    post: {
      parameters: { path: { token: string } };
      responses: { 201: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/shares/{token}/calls/{id}/accept": {
    post: {
      parameters: { path: { id: string; token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/shares/{token}/calls/{id}/end": {
    post: {
      parameters: { path: { id: string; token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/shares/{token}/calls/{id}/reject": {
    post: {
      parameters: { path: { id: string; token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/shares/{token}/calls/{id}/signal": {
    post: {
      parameters: { path: { id: string; token: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewSignal"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Signalled"] } } };
    };
  };
  "/shares/{token}/calls/token": {
    post: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["CallToken"] } } };
    };
  };
  "/shares/{token}/cash-confirm": {
    post: {
      parameters: { path: { token: string } };
      requestBody: { content: { "application/json": components["schemas"]["ConfirmCash"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedJob"] } } };
    };
  };
  "/shares/{token}/line-items/{id}/approve": {
    post: {
      parameters: { path: { id: string; token: string } };
      requestBody: { content: { "application/json": components["schemas"]["DecideLineItem"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/shares/{token}/line-items/{id}/reject": {
    post: {
      parameters: { path: { id: string; token: string } };
      requestBody: { content: { "application/json": components["schemas"]["DecideLineItem"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LineItem"] } } };
    };
  };
  "/shares/{token}/messages": {
    get: {
      parameters: { query?: { before_seq?: number; limit?: number; since_seq?: number }; path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedMessages"] } } };
    };
    post: {
      parameters: { path: { token: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewGuestMessage"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["SharedMessage"] } };
        201: { content: { "application/json": components["schemas"]["SharedMessage"] } };
      };
    };
  };
  "/shares/{token}/rating": {
    post: {
      parameters: { path: { token: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewRating"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Rating"] } } };
    };
  };
  "/shares/{token}/stream": {
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "text/event-stream": components["schemas"]["GuestStreamEvent"] } } };
    };
  };
  "/shares/{token}/way-ahead": {
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/geo+json": components["schemas"]["WayAhead"] } } };
    };
  };
  "/super-admin/admins": {
    get: {
      parameters: { query?: { limit?: number; page?: number } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_AdminUser"] } } };
    };
  };
  "/super-admin/invites": {
    get: {
      parameters: { query?: { limit?: number; page?: number; status?: components["schemas"]["InviteStatus"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Invite"] } } };
    };
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewInvite"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["NewlyInvited"] } } };
    };
  };
  "/super-admin/invites/{id}": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/super-admin/log-filter": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["LogFilter"] } } } };
    put: {
      requestBody: { content: { "application/json": components["schemas"]["SetLogFilter"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["LogFilter"] } } };
    };
    delete: { responses: { 200: { content: { "application/json": components["schemas"]["LogFilter"] } } } };
  };
  "/super-admin/mail/test": {
    post: {
      requestBody?: { content: { "application/json": components["schemas"]["NewMailTest"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["MailTest"] } } };
    };
  };
  "/super-admin/privacy-notices": {
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewPrivacyNotice"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["PrivacyNotice"] } } };
    };
  };
  "/super-admin/push/test": {
    post: { responses: { 200: { content: { "application/json": components["schemas"]["List_TestedDevice"] } } } };
  };
  "/super-admin/sms/test": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewSmsTest"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["SmsTest"] } } };
    };
  };
  "/super-admin/users/{id}": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/super-admin/users/{id}/desks": {
    put: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["ChangeDesks"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminUser"] } } };
    };
  };
  "/super-admin/users/{id}/role": {
    put: {
      parameters: { path: { id: string } };
      requestBody: { content: { "application/json": components["schemas"]["ChangeRole"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["AdminUser"] } } };
    };
  };
  "/super-admin/users/{id}/second-factor": { delete: { parameters: { path: { id: string } }; responses: { 204: {} } } };
  "/track/{token}": {
    /** @deprecated */
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedJob"]; "text/html": string } } };
    };
  };
  "/track/{token}/call/token": {
    /** @deprecated */
    post: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["CallToken"] } } };
    };
  };
  "/track/{token}/calls": {
    /** @deprecated */
    post: {
      parameters: { path: { token: string } };
      responses: { 201: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/track/{token}/calls/{id}/accept": {
    /** @deprecated */
    post: {
      parameters: { path: { id: string; token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/track/{token}/calls/{id}/end": {
    /** @deprecated */
    post: {
      parameters: { path: { id: string; token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/track/{token}/calls/{id}/reject": {
    /** @deprecated */
    post: {
      parameters: { path: { id: string; token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedCall"] } } };
    };
  };
  "/track/{token}/calls/{id}/signal": {
    /** @deprecated */
    post: {
      parameters: { path: { id: string; token: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewSignal"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Signalled"] } } };
    };
  };
  "/track/{token}/messages": {
    /** @deprecated */
    get: {
      parameters: { query?: { before_seq?: number; limit?: number; since_seq?: number }; path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["SharedMessages"] } } };
    };
    /** @deprecated */
    post: {
      parameters: { path: { token: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewGuestMessage"] } };
      responses: {
        200: { content: { "application/json": components["schemas"]["SharedMessage"] } };
        201: { content: { "application/json": components["schemas"]["SharedMessage"] } };
      };
    };
  };
  "/track/{token}/stream": {
    /** @deprecated */
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "text/event-stream": components["schemas"]["GuestStreamEvent"] } } };
    };
  };
  "/track/{token}/way-ahead": {
    /** @deprecated */
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/geo+json": components["schemas"]["WayAhead"] } } };
    };
  };
  "/trackers/osmand": {
    get: {
      parameters: {
        query: {
          accuracy?: number;
          bearing?: number;
          id: string;
          lat?: components["schemas"]["Latitude"];
          location?: string;
          lon?: components["schemas"]["Longitude"];
          speed?: number;
          timestamp?: string;
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["TrackerReceipt"] } } };
    };
    post: {
      requestBody?: {
        content: {
          "application/json": components["schemas"]["TraccarMessage"];
          "application/x-www-form-urlencoded": components["schemas"]["OsmAndPosition"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["TrackerReceipt"] } } };
    };
  };
  "/trackers/owntracks": {
    post: {
      requestBody?: { content: { "application/json": components["schemas"]["OwnTracksMessage"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["OwnTracksMessage"][] } } };
    };
  };
  "/uploads/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Upload"] } } };
    };
    delete: { parameters: { path: { id: string } }; responses: { 204: {} } };
  };
  "/uploads/{id}/complete": {
    post: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Upload"] } } };
    };
  };
  "/uploads/{id}/content": {
    get: {
      parameters: { query?: { expires?: number; signature?: string }; path: { id: string } };
      responses: {
        200: {
          content: {
            "application/pdf": string;
            "image/heic": string;
            "image/jpeg": string;
            "image/png": string;
            "image/webp": string;
          };
        };
      };
    };
    put: {
      parameters: { query?: { expires?: number; signature?: string }; path: { id: string } };
      requestBody: { content: { "application/octet-stream": string } };
      responses: { 200: {} };
    };
  };
  "/uploads/{id}/file": { get: { parameters: { path: { id: string } } } };
  "/uploads/{id}/link": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["UploadLink"] } } };
    };
  };
  "/uploads/presign": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewUpload"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["PresignedUpload"] } } };
    };
  };
  "/users/me": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["Me"] } } } };
    delete: { responses: { 204: {} } };
    patch: {
      requestBody?: { content: { "application/json": components["schemas"]["UpdateMe"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Me"] } } };
    };
  };
  "/users/me/consent": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["Consent"] } } } };
    put: {
      requestBody: { content: { "application/json": components["schemas"]["GivenConsent"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Consent"] } } };
    };
    delete: { responses: { 204: {} } };
  };
  "/users/me/email": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["NewEmail"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["EmailCodeSent"] } } };
    };
    delete: { responses: { 204: {} } };
  };
  "/users/me/email/confirm": {
    post: {
      requestBody: { content: { "application/json": components["schemas"]["ConfirmEmail"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Me"] } } };
    };
  };
  "/users/me/export": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["Export"] } } } };
  };
  "/users/me/grievances": {
    get: {
      parameters: { query?: { limit?: number; page?: number } };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Grievance"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewGrievance"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Grievance"] } } };
    };
  };
  "/users/me/phone": {
    put: {
      requestBody: { content: { "application/json": components["schemas"]["ChangePhone"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["PhoneChanged"] } } };
    };
  };
  "/vehicles": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_Vehicle"] } } } };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewVehicle"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Vehicle"] } } };
    };
  };
  "/vehicles/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Vehicle"] } } };
    };
    delete: { parameters: { path: { id: string } }; responses: { 204: {} } };
    patch: {
      parameters: { path: { id: string } };
      requestBody?: { content: { "application/json": components["schemas"]["VehicleChanges"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["Vehicle"] } } };
    };
  };
  "/wallet": { get: { responses: { 200: { content: { "application/json": components["schemas"]["Wallet"] } } } } };
  "/wallet/disputes": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          status?: components["schemas"]["DisputeStatus"];
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Dispute"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewMechanicDispute"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Dispute"] } } };
    };
  };
  "/wallet/disputes/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Dispute"] } } };
    };
  };
  "/wallet/refunds/{paymentId}": {
    get: {
      parameters: { path: { paymentId: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["List_PaymentRefund"] } } };
    };
  };
  "/wallet/settlements": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Settlement"] } } };
    };
  };
  "/wallet/settlements/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Settlement"] } } };
    };
  };
  "/wallet/transactions": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_WalletTransaction"] } } };
    };
  };
  "/wallet/upi": {
    get: { responses: { 200: { content: { "application/json": components["schemas"]["List_UpiAccount"] } } } };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewUpiAccount"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["UpiAccount"] } } };
    };
  };
  "/wallet/upi/{upiAccountId}": {
    get: {
      parameters: { path: { upiAccountId: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["UpiAccount"] } } };
    };
    delete: { parameters: { path: { upiAccountId: string } }; responses: { 204: {} } };
  };
  "/wallet/upi/{upiAccountId}/approve": {
    post: {
      parameters: { path: { upiAccountId: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["UpiAccountForAdmin"] } } };
    };
  };
  "/wallet/upi/{upiAccountId}/default": {
    post: {
      parameters: { path: { upiAccountId: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["UpiAccount"] } } };
    };
  };
  "/wallet/upi/{upiAccountId}/reject": {
    post: {
      parameters: { path: { upiAccountId: string } };
      requestBody?: { content: { "application/json": components["schemas"]["RejectUpiAccount"] } };
      responses: { 200: { content: { "application/json": components["schemas"]["UpiAccountForAdmin"] } } };
    };
  };
  "/wallet/upi/{upiAccountId}/verify": {
    post: {
      parameters: { path: { upiAccountId: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["UpiAccount"] } } };
    };
  };
  "/wallet/withdrawals": {
    get: {
      parameters: {
        query?: {
          from?: components["schemas"]["Timestamp"];
          limit?: number;
          page?: number;
          to?: components["schemas"]["Timestamp"];
        };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["Page_Withdrawal"] } } };
    };
    post: {
      parameters: { header?: { "Idempotency-Key"?: string } };
      requestBody: { content: { "application/json": components["schemas"]["NewWithdrawal"] } };
      responses: { 201: { content: { "application/json": components["schemas"]["Withdrawal"] } } };
    };
  };
  "/wallet/withdrawals/{id}": {
    get: {
      parameters: { path: { id: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["Withdrawal"] } } };
    };
  };
  "/where/{token}": {
    /** @deprecated */
    get: {
      parameters: { path: { token: string } };
      responses: { 200: { content: { "application/json": components["schemas"]["WhereAsked"]; "text/html": string } } };
    };
  };
  "/workshops": {
    get: {
      parameters: {
        query: { lat: components["schemas"]["Latitude"]; limit?: number; lng: components["schemas"]["Longitude"] };
      };
      responses: { 200: { content: { "application/json": components["schemas"]["List_NearWorkshop"] } } };
    };
  };
  "/ws": { get: { parameters: { query?: { ticket?: string } } } };
  "/ws/ticket": { post: { responses: { 200: { content: { "application/json": components["schemas"]["Ticket"] } } } } };
}
export interface components {
  schemas: {
    AcceptInvite: {
      /** An ID token of the identity provider, whose verified email is the invited one. */
      idpIdToken: components["schemas"]["TokenText"];
      /** The invitation's token. */
      token: components["schemas"]["TokenText"];
    };
    /** The time of arrival that a dispatcher promises. */
    AcceptOfferedCase: {
      /** The minutes until a mechanic is at the vehicle. */
      eta_min: components["schemas"]["Whole1To1440"];
    };
    /** The position of a job's mechanic. */
    AccountJobPosition: {
      eta: components["schemas"]["Eta"] | null;
      /** The job that it is about. */
      job_id: string;
      location: components["schemas"]["Location"] | null;
    };
    /** The radius of the circle in which the phone believes to be, in metres; -1 if unknown. */
    AccuracyM: number;
    /** A partner as it sees itself: for whom it acts, and what it may do. */
    ActingPartner: {
      /** The agency that acts for the organisation; null if it acts for itself. */
      agency_id: string | null;
      /** The environment of this server. It accepts no keys of another one. */
      environment: components["schemas"]["KeyEnvironment"];
      /** The key that the request showed; null for a member. */
      key_id: string | null;
      kind: components["schemas"]["OrganisationKind"];
      /** The organisation for which the caller acts. */
      organisation_id: string;
      /** Its name. */
      organisation_name: string;
      role: components["schemas"]["MemberRole"] | null;
      scopes: components["schemas"]["KeyScope"][];
    };
    /** The kind of person that acted on a job, or the system. */
    ActorKind: "customer" | "mechanic" | "admin" | "partner" | "system";
    /** The address at a point. */
    AddressAt: {
      /** The owner of the data, to be shown with it; null if it need not be shown. */
      attribution: string | null;
      place: components["schemas"]["Place"] | null;
    };
    /** A case in the admins' list, with its organisation. */
    AdminCaseEntry: components["schemas"]["CaseEntry"] & {
      offered_until: components["schemas"]["Timestamp"] | null;
      /** The organisation whose it is. */
      organisation_id: string;
      /** The name of the organisation. */
      organisation_name: string;
    };
    /** A grievance as an admin reads and answers it. */
    AdminGrievance: components["schemas"]["GrievanceEntry"] &
      components["schemas"]["CustomerContact"] & {
        /** What is answered; null before. */
        answer: string | null;
        /** The text in the person's words; null once their account is deleted, like the answer. */
        text: string | null;
      };
    AdminLogin: {
      /** An ID token of the identity provider. */
      idpIdToken: components["schemas"]["TokenText"];
    };
    /** A case as admins see it, with its organisation. */
    AdminPartnerCase: components["schemas"]["PartnerCase"] & {
      /** The name of the organisation. */
      organisation_name: string;
      /** The organisation's number; null if unknown. */
      organisation_phone: string | null;
    };
    AdminReason: {
      /** Why, in the words of whoever decided it. */
      reason: components["schemas"]["Text3To500"];
    };
    /** The role for which a person is invited. */
    AdminRole: "admin" | "super_admin";
    /** How admins sign in to the console. */
    AdminSignInConfig: {
      /** How admins sign in to the console. */
      kind: components["schemas"]["AdminSignInKind"];
      /** The name by which people know the provider; null if the operator has not set it. */
      provider_name: string | null;
    };
    /** @enum {string} */
    AdminSignInKind: "password" | "provider";
    /** An account as admins see it. */
    AdminUser: components["schemas"]["User"] & {
      /** The desks of an admin; empty for everybody else. */
      desks: components["schemas"]["Desk"][];
      /** Whether the identity provider vouched for the address. */
      email_verified: boolean;
      /** The language of messages to this person. */
      language: string;
      /**
       * The number of jobs that they may have open at once, if an admin has set one; null if everybody's limit
       * applies.
       */
      max_open_jobs: number | null;
      /** The mechanic's profile, if the person is a mechanic. */
      mechanic_profile_id: string | null;
      phone_changed_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["UserStatus"];
      /** Why the account is suspended, in the admin's words; null if it is not. */
      suspension_reason: string | null;
    };
    /** Whether mechanics follow the advice where to wait, since the server started. Advice that is still valid counts only as given. */
    AdviceFigures: {
      /** How often they got a job or went offline before they were seen there. */
      cut_short: number;
      /** How often they were seen within a kilometre of the place before the advice ended. */
      followed: number;
      /** The share of mechanics who followed among those who followed or stayed; null before the first. */
      followed_percent: number | null;
      /** How often mechanics were advised where to wait. */
      given: number;
      /** How often they were not. */
      stayed: number;
    };
    /** The advantage of the area. */
    AdviceReason: "more_calls" | "fewer_mechanics";
    /** An amount that is not negative. */
    AgreedAmount: number;
    /** A version that a person agrees to. */
    AgreedNotice: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      /** The language in which they read it. */
      language: components["schemas"]["NoticeLanguage"];
      /** The number of the version; the newest has the highest. */
      version: number;
    };
    /** The changes to an item; the rest stays. */
    AmendLineItem: {
      /** What people say about it, in their own words. */
      description?: components["schemas"]["Text1To500"];
      photo_url?: components["schemas"]["FileUrl"] | null;
      /** How many of them. */
      quantity?: components["schemas"]["Whole1To1000"];
      type?: components["schemas"]["LineItemType"];
      unit_price?: components["schemas"]["UnitPrice"];
    };
    /** The form of an answer. */
    AnswerKind: "yes_no" | "choice" | "text" | "number";
    /** The app of one side. */
    App: "customer" | "mechanic";
    /** The settings that an app needs before anyone signs in. */
    AppConfig: {
      admin_sign_in: components["schemas"]["AdminSignInConfig"];
      /** The country code of numbers that are written without one. */
      country_code: string;
      /** ISO 4217. */
      currency: string;
      /** Whether `POST /demo/play` works here: in development, with a program that contains the simulator. */
      demo_available: boolean;
      /** Whether the service is for development or production. */
      environment: components["schemas"]["AppEnvironment"];
      job_stop: components["schemas"]["JobStopConfig"] | null;
      map: components["schemas"]["MapConfig"];
      operator: components["schemas"]["OperatorConfig"];
      payments: components["schemas"]["PaymentConfig"];
      places: components["schemas"]["PlacesConfig"] | null;
      /**
       * The version of the privacy notice that people have to agree to (`GET /privacy-notice`); null while none is published, and
       * apps then don't ask.
       */
      privacy_notice_version: number | null;
      /** How notifications reach phones and browsers here. */
      push: components["schemas"]["WebPushConfig"];
      rules: components["schemas"]["RulesConfig"];
      support: components["schemas"]["SupportConfig"];
    };
    /** @enum {string} */
    AppEnvironment: "development" | "production";
    /** The decision that counts if a partner does not decide about extra work in time. */
    ApprovalDefault: "approve" | "reject";
    /**
     * The mechanic's arrival. `override_reason` accepts an arrival without a plausible position near the pickup; the timeline shows
     * it. Such an arrival makes no cancellation dearer, and an admin decides about a no-show after it.
     */
    Arrive: { override_reason?: components["schemas"]["Text3To200"] | null };
    /** A request as admins see it. */
    AskedPlace: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      place: components["schemas"]["SharedPlace"] | null;
      sent_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["PlaceRequestStatus"];
    };
    /** The mechanic to assign, bypassing the offers. */
    Assign: {
      mechanic_profile_id: components["schemas"]["Id"];
      override_reason?: components["schemas"]["Text3To200"] | null;
    };
    /**
     * Whether an admin can assign the mechanic: `yes`; `with_reason`, since dispatch would leave them out (`override_reason`);
     * or `no`, because they are on another job, are not verified, or are the customer.
     */
    Assignable: "yes" | "with_reason" | "no";
    /** A mechanic who is online, and whether they could take the job. */
    AssignmentCandidate: components["schemas"]["MechanicContact"] & {
      assignable: components["schemas"]["Assignable"];
      /** The straight-line distance to the pickup, in metres. */
      distance_m: number;
      /** How long the way takes, in seconds. */
      eta_s: number;
      eta_source: components["schemas"]["EtaSource"];
      /** The job that they are on; null if there is none. */
      job_id: string | null;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** Why dispatch would not offer them the job now; empty if it could. */
      refusals: components["schemas"]["DispatchReason"][];
      /** When the position was recorded. */
      seen_at: components["schemas"]["Timestamp"];
    };
    /** A change that an admin made. */
    AuditEntry: {
      /** The action, as a noun and a verb. */
      action: string;
      /**
       * The email that the identity provider vouched for at that time. Admins can't choose it: it stays if they change their
       * account's email.
       */
      actor_email: string | null;
      /**
       * The person; null for a change that a partner's program made, that was made from the command line, or that followed
       * the identity provider's claim.
       */
      actor_id: string | null;
      /** The name that the admin had chosen by then. */
      actor_name: string | null;
      /** The values of the same fields afterwards; null where the object was removed. */
      after: Record<string, never> | null;
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      /** The values of the changed fields before; null where the object was made. Telephone numbers and secrets are removed. */
      before: Record<string, never> | null;
      /** The id by which other operations name it. */
      id: string;
      /** The object's id. */
      object_id: string | null;
      /** The kind of the object, such as `job` or `user`. */
      object_type: string;
      /**
       * The credential of the action, unless that is a sign-in alone: the partner's key, or the membership, with the
       * organisation.
       */
      via: Record<string, never> | null;
    };
    /** Whether the mechanic wants jobs, and optionally their present position. */
    AvailabilityWish: {
      /** Whether the mechanic wants jobs. */
      is_available: boolean;
      lat?: components["schemas"]["Latitude"] | null;
      lng?: components["schemas"]["Longitude"] | null;
    };
    /** A text message to the person who is helped. */
    BeneficiaryText: "link" | "eta" | "arrival" | "rating";
    /** A call between the two sides of a job. */
    Call: {
      /** When it was answered; null if it was not. */
      answered_at: components["schemas"]["Timestamp"] | null;
      /** Whether the guest of a link answered, in place of the customer. */
      answered_by_guest: boolean;
      /** The id of the called user, like `caller_id`. */
      callee_id: string;
      /** The id of the calling user. One of `caller_id` and `callee_id` is the job's customer, the other its mechanic. */
      caller_id: string;
      /** Whether the guest of a link calls, in place of the customer. */
      caller_is_guest: boolean;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** Whole seconds from the answer to the end; null while it goes on, and if nobody answered. */
      duration_s: number | null;
      end_reason: components["schemas"]["EndReason"] | null;
      /** When it ended; null before. */
      ended_at: components["schemas"]["Timestamp"] | null;
      expires_at: components["schemas"]["Timestamp"] | null;
      /** The id by which other operations name it. */
      id: string;
      /** The job that it is about. */
      job_id: string;
      rings: components["schemas"]["CallReach"];
      /** When the call began to ring. */
      started_at: components["schemas"]["Timestamp"];
      status: components["schemas"]["CallStatus"];
    };
    /** A request to be called, with what an admin has to know about its job. */
    Callback: {
      /** The customer, by the id of their account. */
      customer_id: string;
      done_at: components["schemas"]["Timestamp"] | null;
      /** The admin who closed the request; null if a mechanic was found. */
      done_by: string | null;
      /** The admin's note, for admins only. */
      done_note: string | null;
      /** The job's id: a job has one request. */
      id: string;
      /** The job that it is about. */
      job_id: string;
      /** The job's present status. A cancelled job leaves its request open: the customer may still wait for the call. */
      job_status: components["schemas"]["JobStatus"];
      /** The customer's words. */
      note: string | null;
      outcome: components["schemas"]["CallbackOutcome"] | null;
      /** The last parts of the pickup's address. */
      pickup_area: string;
      /** When it was asked for. */
      requested_at: components["schemas"]["Timestamp"];
      /** The kind of help. */
      service_category_id: string;
      /** The category's name when the job was created. */
      service_category_name: string;
      /** Minutes from the beginning of the search until a mechanic accepted, the job was cancelled, or now. */
      waiting_minutes: number;
    };
    /** A request with the customer to call, as only admins see it. */
    CallbackForAdmin: components["schemas"]["Callback"] & components["schemas"]["CustomerContact"];
    /** The outcome of a request to be called. */
    CallbackOutcome: "reached" | "not_reached" | "resolved_without_call" | "mechanic_found";
    /** Whether a request to be called is open or done. */
    CallbackStatus: "open" | "done";
    /** The people on the called side whom a call rings. */
    CallReach: "account" | "guests" | "both";
    /** The outcome of a request that an admin closes. */
    CallResult: "reached" | "not_reached" | "resolved_without_call";
    /** The state of a call. */
    CallStatus: "ringing" | "accepted" | "rejected" | "missed" | "cancelled" | "ended";
    /** The credentials with which one person's device enters the job's room for a while. */
    CallToken: {
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      ice_servers: components["schemas"]["IceServer"][];
      /** `peer`: the two apps connect to each other, and signal over the socket (`call.signal`). `hms`: a room of 100ms. */
      provider: string;
      /** The job's room, as in `hms_room_id` of the job. */
      room_id: string;
      /** A secret that admits whoever holds it. */
      token: string;
    };
    /** The reason why the caller cancels, and the fee that they accept. */
    Cancel: {
      /** Whether to cancel whatever the fee is. Ignored if `quoted_fee` is given. */
      accept_fee?: boolean;
      quoted_fee?: components["schemas"]["Money"] | null;
      /** Why, in the words of whoever decided it. */
      reason?: components["schemas"]["Text1To500"] | null;
      reason_code: components["schemas"]["CancelReason"];
    };
    /** The reason for which a partner cancels a job. */
    CancelAccountJob: {
      /** Why, in the words of whoever decided it. */
      reason?: components["schemas"]["Text1To500"] | null;
      reason_code?: components["schemas"]["CancelReason"] | null;
    };
    /** The fee for cancelling now. */
    CancellationQuote: {
      cancellation_fee: components["schemas"]["Money"];
      free_cancellations: components["schemas"]["FreeCancellations"] | null;
      free_until: components["schemas"]["Timestamp"] | null;
      /** The reason for this fee. */
      reason: string;
    };
    /** The reason why a customer cancels. */
    CancelReason:
      "changed_mind" | "found_other_help" | "wait_too_long" | "mechanic_asked_to_cancel" | "wrong_details" | "other";
    /** Why a job was cancelled: the customer's reason; `admin`, for the reason that an admin wrote down; `no_mechanic_found`, if nobody came and the customer did not search again; or `customer_no_show`. */
    CancelReasonCode:
      | "changed_mind"
      | "found_other_help"
      | "wait_too_long"
      | "mechanic_asked_to_cancel"
      | "wrong_details"
      | "other"
      | "admin"
      | "no_mechanic_found"
      | "customer_no_show";
    /** The outcome of an offer. */
    CandidateOffer: {
      /** The reason in the mechanic's words. */
      decline_reason: string | null;
      /** The id by which other operations name it. */
      id: string;
      settled_at: components["schemas"]["Timestamp"] | null;
      /** How far it has come. */
      status: components["schemas"]["OfferStatus"];
    };
    /** Answers to the questions of a category, by the questions' keys: at most 30, which is the most questions that there can be. */
    CaseAnswers: { [key: string]: unknown };
    /** The person who is helped. */
    CaseBeneficiary: {
      /** Null if nobody gave a name. */
      name: string | null;
    };
    /** A person at a place. */
    CaseContact: {
      /** The name, as people read it. */
      name: string;
      /** The phone number in E.164, such as +919876543210. */
      phone: string;
    };
    /** A document of a case. */
    CaseDocument: {
      /** The case to which the document belongs. */
      case_id: string;
      content_type: components["schemas"]["FileKind"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The end of the link. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      kind: components["schemas"]["CaseDocumentKind"];
      /** The name, as people read it. */
      name: string;
      /** The size of the file in bytes. */
      size_bytes: number;
      /** A link that opens the file for anyone who has it. Read the list again for another one. */
      url: string;
    };
    /** The kind of a case's document. */
    CaseDocumentKind: "police_report" | "policy" | "photo" | "signed_order" | "other";
    /** A case in a list. */
    CaseEntry: {
      /** The name of the person who is helped. */
      beneficiary_name: string | null;
      closed_at: components["schemas"]["Timestamp"] | null;
      /** The organisation's name for the contract. */
      contract_reference: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** How many jobs the case has taken so far. */
      job_count: number;
      /** The latest of them; null before there is one, like the next two. */
      job_id: string | null;
      job_status: components["schemas"]["JobStatus"] | null;
      /** The organisation's own name for the case. */
      partner_reference: string;
      /** The policy or the cover of the person who is helped. */
      policy_reference: string | null;
      /** The vehicle's number; null while it is not known. */
      registration_number: string | null;
      /** A name of the kind of help that stays the same, for programs. */
      service_category_slug: string | null;
      status: components["schemas"]["CaseStatus"];
    };
    /** The place of a vehicle, and the people there. */
    CasePlace: {
      /** The height of the entrance, in centimetres; null if it was not given. */
      clearance_cm: number | null;
      dropoff_contact: components["schemas"]["CaseContact"] | null;
      /** Whether somebody is with the vehicle; null if nobody said. */
      is_attended: boolean | null;
      /** The place of the vehicle's keys. */
      keys_at: string | null;
      location_type: components["schemas"]["LocationType"];
      pickup_contact: components["schemas"]["CaseContact"] | null;
    };
    /** A case as it was when an event happened. */
    CaseSnapshot: {
      /** The person at the vehicle. */
      beneficiary: components["schemas"]["CaseBeneficiary"];
      /** The partner's name for the contract. */
      contract_reference: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** The jobs of the case, in the order in which they were made. */
      jobs: components["schemas"]["JobSnapshot"][];
      /** The number of the case's last event. */
      last_seq: number;
      offer: components["schemas"]["OfferSnapshot"] | null;
      /** The partner's own name for the case. */
      partner_reference: string;
      /** The number of the policy or the membership; null if nobody gave one. */
      policy_reference: string | null;
      /** The number of the purchase order; null if nobody gave one. */
      purchase_order: string | null;
      status: components["schemas"]["CaseStatus"];
      /** The vehicle that broke down. */
      vehicle: components["schemas"]["CaseVehicle"];
    };
    /** The status of a case. */
    CaseStatus: "offered" | "refused" | "expired" | "withdrawn" | "open" | "closed";
    /** The vehicle of a case. */
    CaseVehicle: {
      /** The vehicle's colour, in words. */
      color: string | null;
      /** The driven wheels, in the partner's words. */
      drive: string | null;
      /** The vehicle's fuel, in the partner's words. */
      fuel: string | null;
      /** Who made the vehicle; empty if nobody has said it. */
      make: string | null;
      /** The vehicle's model; empty if nobody has said it. */
      model: string | null;
      /** The odometer's reading in kilometres; null if unknown. */
      odometer_km: number | null;
      /** The number plate; null while the vehicle is not known, as in an offer. */
      registration_number: string | null;
      /** The vehicle identification number. */
      vin: string | null;
      /** How heavy the vehicle is; null if unknown. */
      weight_kg: number | null;
    };
    CategoryChanges: {
      attempt_ttl_s?: components["schemas"]["Whole5To86400"] | null;
      base_price?: components["schemas"]["Price"];
      /** What people say about it, in their own words. */
      description?: components["schemas"]["Text0To1000"];
      destination?: components["schemas"]["DestinationRule"];
      /** The kilometres to the destination that are free. */
      destination_free_km?: components["schemas"]["Whole0To1000"];
      destination_per_km_price?: components["schemas"]["Price"];
      /** How long such work usually takes, in minutes. */
      estimated_duration_min?: components["schemas"]["Whole1To1440"];
      /** How many kilometres of the way to the pickup cost nothing. */
      free_km?: components["schemas"]["Whole0To1000"];
      icon_url?: components["schemas"]["FileUrl"] | null;
      in_time_s?: components["schemas"]["Whole60To86400"] | null;
      /** Whether it is offered now. */
      is_active?: boolean;
      max_rounds?: components["schemas"]["Whole1To100"] | null;
      /** The name, as people read it. */
      name?: components["schemas"]["Text1To80"];
      offer_ttl_s?: components["schemas"]["Whole1To3600"] | null;
      per_km_price?: components["schemas"]["Price"];
      rings_km?: components["schemas"]["Rings"] | null;
      /** Null returns to the setting. */
      round_widths?: components["schemas"]["Whole1To50"][] | null;
      slug?: components["schemas"]["Slug"];
      /** The place in lists: the lowest is first. */
      sort_order?: components["schemas"]["Whole0To10000"];
      urgent_first_round?: components["schemas"]["Whole1To100"] | null;
      vehicle_types?: components["schemas"]["VehicleType"][];
      worth_s?: components["schemas"]["Whole60To86400"] | null;
    };
    /** The figures of one category. */
    CategoryFigures: components["schemas"]["Figures"] & {
      /** The name, as people read it. */
      name: string;
      /** The kind of help. */
      service_category_id: string;
    };
    /** A question that a partner may answer. */
    CategoryQuestion: {
      /** Empty unless `kind` is choice. */
      choices: string[];
      /** The name of the answer in a case. */
      key: string;
      kind: components["schemas"]["AnswerKind"];
      /** The question in words. */
      text: string;
    };
    /** The questions of a category. */
    CategoryQuestions: {
      /** The questions in the order in which they are asked. */
      questions: components["schemas"]["CategoryQuestion"][];
    };
    /** How fast help came in one category. */
    CategorySla: components["schemas"]["SlaFigures"] & {
      /** The name, as people read it. */
      name: string;
      /** The kind of help. */
      service_category_id: string;
    };
    /** The desks at which an admin works from now on. */
    ChangeDesks: {
      /** The desks. All four mean every desk, including those of later releases. */
      desks: components["schemas"]["Desk"][];
    };
    /** All settings, including those that stay as they are. */
    ChangeDispatch: {
      settings: components["schemas"]["DispatchKnobs"];
      /** The version that was read before. If another version applies now, nothing is changed. */
      version: number;
    };
    /** A new number, with the codes that were sent to it and to the present one. */
    ChangePhone: {
      /** The code that was sent to the present number. */
      current_otp: components["schemas"]["OtpText"];
      /** The code that was sent to the new number. */
      otp: components["schemas"]["OtpText"];
      phone: components["schemas"]["Phone"];
    };
    ChangeRole: { role: components["schemas"]["Role"] };
    /**
     * The way in which a payment is made: at the gateway, in cash to the mechanic, or on the account of the organisation that ordered
     * the job.
     */
    Channel: "online" | "cash" | "account";
    /** A chargeback: an amount of a payment that the customer's bank took back, or wants to take back. */
    ChargebackForAdmin: components["schemas"]["CustomerContact"] & {
      amount: components["schemas"]["Money"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The customer, by the id of their account. */
      customer_id: string;
      /** The chargeback's id at the gateway. */
      gateway_dispute_id: string;
      /** The id by which other operations name it. */
      id: string;
      /** The job that the payment is for; null if it is for fees. */
      job_id: string | null;
      /** The payment that it is about. */
      payment_id: string;
      /** The reason, in the gateway's words. */
      reason: string | null;
      status: components["schemas"]["ChargebackStatus"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
    };
    /** The progress of a chargeback: raised or under review, and how it ended. */
    ChargebackStatus: "open" | "won" | "lost" | "closed";
    /** The author of a message. */
    ChatAuthor: "customer" | "mechanic" | "guest";
    /** A mechanic who had the job before. */
    ChatMechanic: {
      /** The first word of the person's name; null if they gave none. */
      first_name: string | null;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
    };
    /** A part of a job's chat, in the order of the job's log. */
    ChatMessages: {
      /** The last event up to which the customer has read; 0 before that. */
      customer_read_seq: number;
      data: components["schemas"]["Message"][];
      /** Mechanics who had the job before, and wrote or were written to; only for the customer and admins. */
      earlier_mechanics: components["schemas"]["ChatMechanic"][];
      /** Whether there are more: newer ones if `since_seq` was given, else older ones. */
      has_more: boolean;
      /** Whether the two sides may write now. */
      is_writable: boolean;
      /** The first event that the present mechanic may see; null if the job has no mechanic. */
      mechanic_first_seq: number | null;
      /**
       * The last event up to which the job's present mechanic has read; 0 before that. It does not cover messages from before
       * `mechanic_first_seq`, which they don't see: for these see `read_at`.
       */
      mechanic_read_seq: number;
      /** The number of other people's messages that the caller has not read; 0 for admins. */
      unread: number;
      writable_until: components["schemas"]["Timestamp"] | null;
    };
    /** How far one side has read. It only grows. */
    ChatRead: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      /** The first event that the reader may see; older messages do not count as read. */
      from_seq: number;
      reader: components["schemas"]["ChatSide"];
      /** The number of the last message that was read. */
      up_to_seq: number;
    };
    /** A side of a job. */
    ChatSide: "customer" | "mechanic";
    /** Mechanics with the same skills. The smallest classes of a town are counted with the one most like them. */
    ClassPrice: components["schemas"]["ServedSkills"] & {
      /** The calls expected for this class, with its share of calls that other classes serve, too. */
      calls_per_hour: number;
      /** The number of those mechanics who are neither on a job nor being offered one. */
      free: number;
      /** The price: how many jobs are lost for each hour that one of these mechanics is away. */
      jobs_lost_per_hour: number;
      /** How many mechanics these calls keep busy on average. */
      load: number;
      /** The number of mechanics online. */
      mechanics: number;
      /**
       * How many jobs one more mechanic of this class would save per hour: fewer than the price, as each further mechanic has less
       * to do.
       */
      one_more_saves_per_hour: number;
    };
    /** The outcome with which an admin closes a request. */
    CloseCallback: { note?: components["schemas"]["Text1To500"] | null; outcome: components["schemas"]["CallResult"] };
    /** Why an offer of a club is refused. */
    ClubRefusalReason: "outside_area" | "no_mechanic_free" | "no_equipment" | "vehicle_too_heavy" | "terms" | "other";
    /** How far a club's offer is. */
    ClubStage: "waiting" | "call_asked" | "accepted" | "confirmed" | "refused" | "expired" | "withdrawn";
    /** The answering server's connection to NATS. */
    ClusterBus: {
      /** Whether this server is connected to NATS. */
      is_connected: boolean;
      /** How many messages this server could not send, or take in time, since its start. */
      lost_messages: number;
    };
    /** The engine, and the server that runs it. */
    ClusterEngine: {
      /** Whether the engine answers. */
      is_answering: boolean;
      /** The present or last leader. */
      server: string | null;
    };
    /** A server of the cluster. */
    ClusterNode: {
      /** How far the server's clock is ahead of the database's, in milliseconds; null if that is not known. */
      clock_ahead_ms: number | null;
      /** The age of the server's report in milliseconds. */
      heard_ms_ago: number;
      /** The id by which other operations name it. */
      id: string;
      /** Whether the server is about to stop. */
      is_draining: boolean;
      /** Whether the server runs the engine. */
      is_leading: boolean;
      /** The version of the program that runs there. */
      release: string;
      /** Since when. */
      since: components["schemas"]["Timestamp"];
      /** The number of open WebSockets. */
      sockets: number;
    };
    /** The servers of this database, as known to the answering server. */
    ClusterState: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      bus: components["schemas"]["ClusterBus"] | null;
      engine: components["schemas"]["ClusterEngine"];
      /** The servers, of which the answering one is the first. */
      nodes: components["schemas"]["ClusterNode"][];
      /** The latest 20 take-overs, newest first. */
      take_overs: components["schemas"]["TakeOver"][];
    };
    /** Every error code of the API. */
    Code:
      | "BAD_REQUEST"
      | "UNAUTHORIZED"
      | "TOKEN_EXPIRED"
      | "INVALID_OTP"
      | "SECOND_FACTOR_REQUIRED"
      | "SIGNATURE_INVALID"
      | "FORBIDDEN"
      | "ACCOUNT_SUSPENDED"
      | "EMAIL_NOT_VERIFIED"
      | "COOKIE_REFUSED"
      | "SECOND_FACTOR_MISSING"
      | "NOT_VERIFIED"
      | "DESK_NEEDED"
      | "NOT_FOUND"
      | "NO_PRIVACY_NOTICE"
      | "METHOD_NOT_ALLOWED"
      | "CONFLICT"
      | "INVALID_TRANSITION"
      | "OFFER_TAKEN"
      | "OFFER_EXPIRED"
      | "ACTIVE_JOB_EXISTS"
      | "TOO_MANY_OPEN_JOBS"
      | "NO_NEW_JOBS"
      | "CONSENT_NEEDED"
      | "NOTICE_CHANGED"
      | "PUSH_NOT_SET_UP"
      | "ALREADY_REGISTERED"
      | "VEHICLE_IN_USE"
      | "CATEGORY_IN_USE"
      | "PENDING_APPROVAL"
      | "FEE_CHANGED"
      | "PRICE_CHANGED"
      | "UNPAID_FEES"
      | "INSUFFICIENT_BALANCE"
      | "ALREADY_RATED"
      | "IDEMPOTENCY_IN_FLIGHT"
      | "LINK_EXPIRED"
      | "PAYLOAD_TOO_LARGE"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "VALIDATION_FAILED"
      | "WRONG_START_CODE"
      | "TOO_FAR_FROM_PICKUP"
      | "IDEMPOTENCY_KEY_REUSED"
      | "RATE_LIMITED"
      | "INTERNAL_ERROR"
      | "PROVIDER_ERROR"
      | "UNAVAILABLE"
      | "OUTCOME_UNKNOWN";
    /** The parameters with which the provider sent the browser back. */
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
    /** The concern that a list of jobs is limited to; `any` means any concern. */
    ConcernFilter: "any" | "dark" | "stalled" | "moving_away" | "slipping";
    /** The amount of cash that changed hands. The answer is CONFLICT if the payment is for another amount. */
    ConfirmCash: { amount: components["schemas"]["Money"] };
    ConfirmEmail: { code: components["schemas"]["EmailCode"] };
    /** The time of arrival to which the club agrees. */
    ConfirmOfferedCase: {
      /** The minutes of the dispatcher's answer, once more. */
      eta_min: components["schemas"]["Whole1To1440"];
    };
    /** The consent of a person. */
    Consent: {
      agreed: components["schemas"]["AgreedNotice"] | null;
      /** The person's agreements and withdrawals, the newest first, at most 50. */
      history: components["schemas"]["ConsentRecord"][];
      /** Whether the person has to agree to the newest notice before they create a job or go online. */
      is_needed: boolean;
      /** The newest notice's version; null if none is published. */
      notice_version: number | null;
    };
    /** The kinds of acts of consent. */
    ConsentKind: "given" | "withdrawn";
    /** An agreement to the privacy notice, or a withdrawal. */
    ConsentRecord: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      kind: components["schemas"]["ConsentKind"];
      language: components["schemas"]["NoticeLanguage"];
      /** The number of the version; the newest has the highest. */
      version: number;
    };
    ContactPerson: {
      /** The first word of the person's name; null if they gave none. */
      first_name: string | null;
      /** The person's number; null unless the service shows numbers (`jobs.show_contact_numbers`). */
      phone: string | null;
      who: components["schemas"]["ContactRole"];
    };
    /** The people whom the mechanic calls. */
    ContactPreference: "booker" | "beneficiary" | "both";
    /** Whether the person created the job or is served by it. */
    ContactRole: "booker" | "beneficiary";
    /** A way to reach people in the app: POST /jobs/{id}/messages, POST /jobs/{id}/calls. */
    ContactWay: "chat" | "call";
    /** The customer's account of what happened. */
    ContestNoShow: {
      /** What this side says about it. */
      statement: components["schemas"]["Text1To2000"];
    };
    /** The agreement about a kind of help. */
    ContractTerms: {
      call_out: components["schemas"]["Money"] | null;
      /** The payable share if the partner cancels after the free time. */
      cancelled_percent: number;
      /** The payable share if the destination is closed, or refuses the vehicle. */
      destination_refused_percent: number;
      /** The time after the acceptance in which a cancellation costs nothing. */
      free_cancellation_minutes: number;
      /** The payable share, in percent of the price, if the vehicle is gone when the mechanic arrives in time. */
      gone_on_arrival_percent: number;
      /** The kilometres to the destination that the call-out includes. */
      included_km: number | null;
      per_km: components["schemas"]["Money"] | null;
      /** How many photos the mechanic takes before the job is completed. */
      photos_required: number;
      pricing: components["schemas"]["PricingRule"];
      /** The payable share if the mechanic arrives later than promised. */
      promise_missed_percent: number;
      /** The questions that a case of this kind may answer. */
      questions: components["schemas"]["CategoryQuestion"][];
      /** The kind of help. */
      service_category_id: string;
      /** A name of the kind of help that stays the same, for programs. */
      service_category_slug: string;
      /** The payable share if the work does not succeed. */
      unsuccessful_percent: number;
    };
    /** Whether a contract covers help. The amounts are estimates: they are fixed when the job is made. */
    Coverage: {
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      destination: components["schemas"]["EstimatedDestination"] | null;
      driver_pays: components["schemas"]["Money"] | null;
      /** Minimum and maximum minutes until a mechanic arrives; null if nobody can say. */
      eta_range_min: number[] | null;
      /** Whether help would be covered. */
      is_covered: boolean;
      /** Whether no mechanic of the service serves this place. */
      is_outside_area: boolean;
      payable: components["schemas"]["Money"] | null;
      price: components["schemas"]["Money"] | null;
      reason: components["schemas"]["NotCovered"] | null;
    };
    /** The question whether a contract covers help, what it would cost, and when it could come. */
    CoverageRequest: {
      /** The organisation's name for the contract. */
      contract_reference: components["schemas"]["Text1To64"];
      destination?: components["schemas"]["DestinationChoice"] | null;
      pickup_lat: components["schemas"]["Latitude"];
      pickup_lng: components["schemas"]["Longitude"];
      scheduled_for?: components["schemas"]["Timestamp"] | null;
      /** The kind of help. */
      service_category_slug: components["schemas"]["Text1To60"];
      vehicle_type: components["schemas"]["VehicleType"];
    };
    /** The customer's contact data, as only admins read it; null once they have left. */
    CustomerContact: {
      /** The customer's name; null if they gave none. */
      customer_name: string | null;
      /** The customer's phone number; null if their account has none. */
      customer_phone: string | null;
    };
    /** A day, `YYYY-MM-DD`. */
    Day: string;
    /** The figures of one day. */
    DayFigures: components["schemas"]["Figures"] & {
      /** The day, in the operator's time zone. */
      day: string;
    };
    /** An hour of the day in which one more mechanic of a class would save jobs. */
    DearHour: {
      /** The position of the class in `classes`, from 0. */
      class_index: number;
      /** The hour of the local day at which this hour begins. */
      hour: number;
      /** The price in this hour. */
      jobs_lost_per_hour: number;
      /** The class of mechanics, as people read it. */
      label: string;
      /** The number of jobs that one more mechanic would save in such an hour. */
      one_more_saves_per_hour: number;
    };
    /** The state of the item that the customer saw. The answer is CONFLICT if the mechanic has changed it since. */
    DecideLineItem: {
      quoted_total?: components["schemas"]["Money"] | null;
      /** The version that was shown: every change makes a new version, even one that leaves the total as it is. */
      version: components["schemas"]["Whole1To1000000"];
    };
    /** The decision whether the customer has to pay, and the reason for it. The note is shown to both sides. */
    DecideNoShow: {
      /** Whether the customer pays the fee. */
      charge: boolean;
      /** A remark to it; null if there is none. */
      note: components["schemas"]["Text1To2000"];
    };
    /** The decision whether the tow is paid, and the reason for it. The note is for admins. */
    DecideTow: {
      /** A remark to it; null if there is none. */
      note: components["schemas"]["Text1To2000"];
      /** Whether the mechanic is paid for the tow; if not, its price is taken off. */
      pay: boolean;
    };
    /** The reason for declining an offer; only operators see it. */
    Decline: {
      /** Why, in the words of whoever decided it. */
      reason?: components["schemas"]["Text1To200"] | null;
    };
    /** An event on its way to a subscription. */
    Delivery: {
      /** The status of the answer to the last try; null if there was none. */
      answer_status: number | null;
      /** The case of the event. */
      case_id: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The event, as `webhook-id` names it. */
      event_id: string;
      /** Why there was no answer to the last try, or why it was given up. */
      failure: string | null;
      /** The id by which other operations name it. */
      id: string;
      next_try_at: components["schemas"]["Timestamp"] | null;
      /** The number of the event within its case. */
      seq: number;
      settled_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["WebhookDeliveryStatus"];
      /** The organisation whose event was sent. */
      subscription_id: string;
      /** The number of tries so far. */
      tries: number;
      /** The kind of the event. */
      type: components["schemas"]["PartnerEventKind"];
    };
    /** A delivery as admins see it. */
    DeliveryForAdmin: components["schemas"]["Delivery"] & {
      /** The partner. */
      organisation_id: string;
    };
    /** The extent of a replay. */
    DeliveryReplay: {
      /** The number of deliveries that it made. */
      deliveries: number;
      next_since: components["schemas"]["Timestamp"] | null;
    };
    /** The status of a notification's push. */
    DeliveryStatus: "pending" | "sent" | "failed" | "skipped";
    /** A point of the map. */
    DemoPlace: {
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
    };
    /** The person to sign in as: each role is one person, the same every time. */
    DemoRole: "admin" | "customer" | "mechanic";
    DemoSignIn: { as: components["schemas"]["DemoRole"] };
    /** The state of the demo city. */
    DemoState: {
      /** The middle of the city, where it plays or would play. */
      center: components["schemas"]["DemoPlace"];
      /** Why it ended by itself; null if it did not. */
      failure: string | null;
      /** Whether it plays around another point than where the city is, because somebody asked for it from there. */
      is_moved: boolean;
      /** Whether the demo city is being played. */
      is_playing: boolean;
      started_at: components["schemas"]["Timestamp"] | null;
      /** The city's name. */
      title: string;
    };
    /** A desk of the console. */
    Desk: "dispatch" | "money" | "people" | "settings";
    /** The vehicle's destination: a workshop of `GET /workshops`, or any other place. */
    DestinationChoice: {
      /** The address in words. */
      address?: components["schemas"]["Text1To500"] | null;
      lat?: components["schemas"]["Latitude"] | null;
      lng?: components["schemas"]["Longitude"] | null;
      workshop_id?: components["schemas"]["Id"] | null;
    };
    /** Whether the customer says where the vehicle goes. */
    DestinationRule: "none" | "optional" | "required";
    /**
     * The address for pushes: a registration token of FCM (letters, digits, `-`, `_`, `.`, `:` and `=`), or, together with `keys`,
     * the `endpoint` of a browser's subscription.
     */
    DeviceToken: string;
    /** The reason why an admin closes an event that can't be dealt with. */
    DismissWebhookEvent: {
      /** The reason, which is kept in the audit log. */
      reason: components["schemas"]["Text3To500"];
    };
    /** A sign that mechanics are held back without benefit. */
    DispatchAlarm: {
      kind: components["schemas"]["DispatchAlarmKind"];
      /** A place near the town, as in `towns`; null if the alarm is about all of them. */
      lat: number | null;
      /** Degrees east (WGS 84). */
      lng: number | null;
      /** The category that the alarm is about; null if it is not about one. */
      service_category_id: string | null;
      /** The alarm in a sentence or two. */
      text: string;
    };
    /** The cause for concern. */
    DispatchAlarmKind: "idle_beside_held" | "load_overrated" | "wasted_holds" | "category_starves";
    /** A mechanic who was considered. */
    DispatchCandidate: {
      /** The straight-line distance to the pickup, in metres. */
      distance_m: number;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** The first name; null if the mechanic has none. */
      name: string | null;
      /** The reason in one line, with its numbers; null unless they were `held_back`. */
      note: string | null;
      offer: components["schemas"]["CandidateOffer"] | null;
      reason: components["schemas"]["DispatchReason"] | null;
      terms: components["schemas"]["DispatchTerms"] | null;
      verdict: components["schemas"]["DispatchVerdict"];
      /** The job that they were matched with instead; null unless that is the reason. */
      with_job_id: string | null;
    };
    /** One version of how jobs are dispatched. */
    DispatchConfiguration: {
      settings: components["schemas"]["DispatchKnobs"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"] | null;
      /** The admin who made this version; null for version 0. */
      updated_by: string | null;
      /** The version's number; 0 if the settings file applies. */
      version: number;
    };
    /** One look around the pickup. */
    DispatchDecision: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      /** The attempt to find a mechanic, from 1: each new search is one. */
      attempt: number;
      /** The number of waiting jobs that were decided together because they could use the same mechanics, including this one. */
      competing_jobs: number;
      /** The mechanics considered, at most 50, nearest first: all who were offered the job, then the nearest others. */
      considered: components["schemas"]["DispatchCandidate"][];
      /** The most by which the decision's total cost may exceed the best one, in seconds; null unless `bounded`. */
      gap_s: number | null;
      /**
       * The number of looks that this represents: more than one if nobody was offered the job. A look with the same reasons as the
       * one before is not counted.
       */
      looks: number;
      method: components["schemas"]["DispatchMethod"];
      /** The decision's number among the job's, from 1. */
      number: number;
      /** The number of further mechanics within the ring; where there are hundreds, some just outside are counted too. */
      omitted: number;
      /** Seconds of precedence over other jobs, because the job has waited or is urgent. */
      priority_s: number;
      /** The radius of this look around the pickup. */
      ring_km: number;
      /** The round of the search, from 1. */
      round: number;
      /** The number of offers that the round had room for. */
      wanted: number;
    };
    /**
     * The cost of a mechanic's absence during this job, and of a late arrival. If `price_s` and `late_s` together reach `worth_s`
     * and they are not likely to be in time (50 % at most), the mechanic is `held_back`.
     */
    DispatchForesight: {
      /** How long they would be away: the drive and the work. */
      busy_s: number;
      /** The chance that they arrive in time. */
      chance_in_time_percent: number;
      /** The price of an hour of this mechanic: how many jobs it costs elsewhere. */
      jobs_lost_per_hour: number;
      /**
       * The price of an hour of a mechanic of the same kind who has just become free; it falls while they wait. Null in older
       * records.
       */
      jobs_lost_per_hour_at_first: number | null;
      /** The cost of the chance of being late, in seconds of pickup time. */
      late_s: number;
      /** The cost of that time, in seconds of pickup time. */
      price_s: number;
      /** The value of serving the job in time, in seconds of pickup time. */
      worth_s: number;
    };
    /**
     * The settings that can be changed at run time. They have the names of the settings file, which explains each of them
     * (`config/default.toml`); a service category may override the first six, `worth_s` and `in_time_s`.
     */
    DispatchKnobs: {
      /** The additional cost of leaving it after an accident. */
      accident_bonus_s: number;
      /** Mechanics who have had no job for this long are advised where to wait; 0 disables the advice. Only with `mechanic_prices`. */
      advice_after_s: number;
      /** How long a search lasts, after which it ends without a mechanic. */
      attempt_ttl_s: number;
      /** How far trips are from their estimates: the standard deviation of the logarithm of their ratio. */
      eta_sigma: number;
      /** The additional cost of leaving it on a highway. */
      highway_bonus_s: number;
      /** Whether an accident may be held back, too. */
      hold_accidents: boolean;
      /** The reduction of an offer's cost for each minute that the mechanic has been idle, for an hour at most. */
      idle_weight_s_per_min: number;
      /** A mechanic who arrives within this time after the call is in time. */
      in_time_s: number;
      /** The percentage of that value that is left if they come late. */
      late_percent: number;
      /** Rounds of offers, after which a search ends without a mechanic. */
      max_rounds: number;
      /**
       * Whether an hour of a mechanic's time has a price: if mechanics are scarce, nobody is sent to where that price exceeds the
       * job's value, given the chance to arrive in time. Otherwise only the pickup counts.
       */
      mechanic_prices: boolean;
      /** How long an offer lasts, in seconds; at most `attempt_ttl_s`. */
      offer_ttl_s: number;
      /**
       * Whether prices are on in some hours and off in others, to measure their effect: `GET /admin/dispatch/switchback` compares
       * them. Only with `mechanic_prices`. False if not given.
       */
      price_switchback?: boolean;
      /** The time over which calls are counted, to know how many to expect. */
      price_window_s: number;
      /** The additional cost of an offer, multiplied by the refusals expected from the mechanic's last 20 answers. */
      refusal_weight_s: number;
      /** Rings around the pickup, each larger than the one before, up to 500 km. */
      rings_km: number[];
      /** Simultaneous offers in round 1, 2, …; the last applies to every later round. */
      round_widths: number[];
      /** The cost of leaving a job without a mechanic, in seconds of pickup time, like everything that follows. */
      unserved_s: number;
      /** The round at which accident and highway jobs begin; at most `max_rounds`. */
      urgent_first_round: number;
      /** The additional cost of leaving it for each minute that it has waited, for an hour at most. */
      waiting_weight_s_per_min: number;
      /** How long competing jobs are collected before they are matched. */
      window_ms: number;
      /** The value of serving a job in time, in seconds of pickup time. */
      worth_s: number;
    };
    /**
     * How a decision was reached: `alone`, no other job wanted the same mechanics; `exact`, the least total cost of all
     * competing jobs; `bounded`, at most `gap_s` above that, because there were too many; `greedy`, one job at a time.
     */
    DispatchMethod: "alone" | "exact" | "bounded" | "greedy";
    /** An offer of the job. */
    DispatchOffer: {
      /** The attempt to find a mechanic, from 1: each new search is one. */
      attempt: number;
      /** The mechanic's cost when they were chosen, in seconds. */
      cost_s: number;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The reason in the mechanic's words. */
      decline_reason: string | null;
      /** The straight-line distance to the pickup, in metres. */
      distance_m: number;
      /** How long the way takes, in seconds. */
      eta_s: number;
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** The first name; null if the mechanic has none. */
      name: string | null;
      /** The round of the search, from 1. */
      round: number;
      settled_at: components["schemas"]["Timestamp"] | null;
      /** How far it has come. */
      status: components["schemas"]["OfferStatus"];
    };
    /** The settings of a job's search, with the category's overrides. */
    DispatchPolicy: {
      /** How long an attempt to find a mechanic lasts, in seconds. */
      attempt_ttl_s: number;
      /** A mechanic who arrives within this time after the call is in time, in seconds. */
      in_time_s: number;
      /** How many rounds a search has at most. */
      max_rounds: number;
      /** How long an offer lasts, in seconds. */
      offer_ttl_s: number;
      /** Radii around the pickup, tried one after the other. */
      rings_km: number[];
      /** Simultaneous offers in round 1, 2, …; the last applies to every later round. */
      round_widths: number[];
      /** The round at which accident and highway jobs begin. */
      urgent_first_round: number;
      /** The version of the dispatch settings; 0 is the settings file. */
      version: number;
      /** The value of serving the job in time, in seconds of pickup time. */
      worth_s: number;
    };
    /** The present price of an hour of mechanics' time. */
    DispatchPrices: {
      advice: components["schemas"]["AdviceFigures"];
      /** Signs that mechanics are held back without benefit; empty if all is well. */
      alarms: components["schemas"]["DispatchAlarm"][];
      holds: components["schemas"]["HoldFigures"];
      /** Whether the dispatch setting `mechanic_prices` is on. Otherwise there are no prices. */
      is_on: boolean;
      /** The prices by town. Empty until the first prices, some seconds after a start, and while nobody is online. */
      towns: components["schemas"]["TownPrices"][];
    };
    /** @enum {string} */
    DispatchReason:
      | "costs_more"
      | "matched_with_another_job"
      | "kept_for_other_jobs"
      | "not_reserved"
      | "held_back"
      | "engaged"
      | "stale_position"
      | "vehicle_type"
      | "service_category"
      | "outside_own_radius"
      | "excluded";
    /**
     * Explains why each mechanic was, or was not, offered a job. Read `decisions` from the top: each is one look around the pickup,
     * out to `ring_km`, with the mechanics found there, nearest first. A mechanic who is missing was offline, not verified, too
     * inexactly located or farther away at that moment.
     */
    DispatchRecord: {
      /**
       * The search under way, or the last one, counted from 1; 0 before the first. A new search begins when a mechanic gives the
       * job back, and with a retry.
       */
      attempt: number;
      attempt_ends_at: components["schemas"]["Timestamp"] | null;
      /**
       * The decisions, oldest first; only the newest 64. Looks of one round that offered nobody the job are one entry: the last of
       * them, with their count in `looks`.
       */
      decisions: components["schemas"]["DispatchDecision"][];
      /**
       * The number of older decisions that were replaced by newer ones. Decisions that a full queue lost are not counted here, but
       * in the metric `roadcall_dispatch_decisions_lost_total`.
       */
      dropped_decisions: number;
      /** The job that it is about. */
      job_id: string;
      /** Every offer of the job, oldest first; if there are more than 500, the newest ones. */
      offers: components["schemas"]["DispatchOffer"][];
      /** The policy of this job's search. For a job that has ended, the policy that would apply now. */
      policy: components["schemas"]["DispatchPolicy"];
      /** The round under way; null unless the job is being dispatched. */
      round: number | null;
      status: components["schemas"]["JobStatus"];
    };
    /** The cost of a mechanic, in seconds of pickup time; the mechanic with the least cost is offered the job. */
    DispatchTerms: {
      /** The sum of `eta_s`, `refusal_s`, `idle_s`, `parked_s`, and of `price_s` and `late_s` in `foresight`. */
      cost_s: number;
      /** How long the way takes, in seconds. */
      eta_s: number;
      eta_source: components["schemas"]["EtaSource"];
      foresight: components["schemas"]["DispatchForesight"] | null;
      /** Reduction for the time that they were idle: negative or 0. */
      idle_s: number;
      /** Added for a mechanic who waits at a place with the phone in a pocket, for seeing the offer and getting to the vehicle; else 0. */
      parked_s: number;
      /** The expected cost of the chance that they refuse. */
      refusal_s: number;
    };
    /** The outcome for a mechanic in a decision: `offered` the job, `passed` over although they fit, or `unfit` for it. */
    DispatchVerdict: "offered" | "passed" | "unfit";
    /** A dispute about a job, as its customer, its mechanic and admins see it. */
    Dispute: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The customer, by the id of their account. */
      customer_id: string;
      /** What people say about it, in their own words. */
      description: string;
      /** Files that show it, as completed uploads name them. */
      evidence_urls: string[];
      /** The price of the job when the dispute began. */
      final_price: components["schemas"]["Money"];
      /** The id by which other operations name it. */
      id: string;
      /** The job that it is about. */
      job_id: string;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** The reason for the decision. */
      note: string | null;
      opened_by: components["schemas"]["Party"];
      outcome: components["schemas"]["DisputeOutcome"] | null;
      price_after: components["schemas"]["Money"] | null;
      price_reduction: components["schemas"]["Money"] | null;
      reason_code: components["schemas"]["DisputeReason"];
      /** When the dispute was decided; null before. */
      resolved_at: components["schemas"]["Timestamp"] | null;
      settled_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["DisputeStatus"];
    };
    /** A dispute with the people on both sides, as only admins see it. */
    DisputeForAdmin: components["schemas"]["Dispute"] &
      components["schemas"]["CustomerContact"] &
      components["schemas"]["MechanicContact"];
    /** The outcome of a dispute: the customer pays nothing, everything, or less than the price. */
    DisputeOutcome: "customer" | "mechanic" | "split";
    /** The reason for a dispute. */
    DisputeReason:
      "work_not_done" | "poor_work" | "overcharged" | "wrong_items" | "damage" | "behaviour" | "not_paid" | "other";
    /** A statement of one side of a dispute. */
    DisputeStatement: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The dispute that the statement is about. */
      dispute_id: string;
      /** Files that show it, as completed uploads name them. */
      evidence_urls: string[];
      /** The id by which other operations name it. */
      id: string;
      stated_by: components["schemas"]["Party"];
      /** What this side says about it. */
      statement: string;
    };
    /** The status of a dispute: open or resolved. */
    DisputeStatus: "open" | "resolved";
    /** The status of a document. */
    DocumentStatus: "pending" | "accepted" | "rejected";
    /** The kind of a document (contract 2.7). */
    DocumentType: "aadhaar" | "skill_cert" | "photo_id" | "other";
    /** A list of drivers. */
    DriverSheet: {
      /**
       * A CSV whose first line names its columns, in any order: reference, name and phone, and if wanted language and
       * registration_number. At most 500 drivers.
       */
      csv: components["schemas"]["Text1To60000"];
    };
    /** The wheels that are driven, by which a tow truck is chosen. */
    DriveType: "front" | "rear" | "all";
    /**
     * An email address: one `@`, something on both sides, a dot in the domain, at most 254 characters, all of ASCII;
     * stored in lower case.
     */
    Email: string;
    /** A code of six digits. */
    EmailCode: string;
    /** A code that is on its way. */
    EmailCodeSent: {
      /** The email address. */
      email: string;
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The code itself, in development while no mail is sent; null otherwise. */
      otp: string | null;
      /** The time from which another code can be sent. */
      resend_at: components["schemas"]["Timestamp"];
    };
    /** Why a call is over. */
    EndReason:
      "caller_hung_up" | "callee_hung_up" | "declined" | "no_answer" | "job_over" | "reassigned" | "max_length";
    /** The kind of event that an entry books. */
    EntryKind:
      | "capture"
      | "cash"
      | "clear"
      | "dispute_hold"
      | "fee"
      | "fee_waived"
      | "partner_bill"
      | "refund"
      | "refund_paid"
      | "refund_undone"
      | "withdrawal_hold"
      | "withdrawal_paid"
      | "withdrawal_release"
      | "withdrawal_retaken"
      | "withdrawal_returned";
    /** The error envelope. */
    ErrorBody: {
      /** The error. */
      error: components["schemas"]["ErrorDetail"];
      /** Always false. */
      success: boolean;
    };
    ErrorDetail: {
      code: components["schemas"]["Code"];
      /**
       * The distance in metres from the caller's last plausible position to the pickup or the destination, if they
       * are too far away.
       */
      distance_m?: number | null;
      /**
       * The faults of each field, only with 422. A fault inside a field is listed under its exact path
       * (`documents[0].file_url`) and, with its place inside the field, under the field's own name (`documents`). At
       * most 32 paths are named; if there are more, `body` says so.
       */
      errors?: { [key: string]: string[] } | null;
      /** A message for people, which may change. */
      message: string;
    };
    /** The price of help, and how soon it could come. */
    Estimate: {
      /** How many mechanics are free for this job: 0 if the free ones are kept for other jobs; capped at 1,000. */
      available_mechanics: number;
      base_price: components["schemas"]["Money"];
      /** The parts of the price: base_price, travel_price and, with a destination, destination_price. */
      breakdown: components["schemas"]["PricePart"][];
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      destination: components["schemas"]["EstimatedDestination"] | null;
      /** The price of the way to the destination; 0 without one. */
      destination_price: components["schemas"]["Money"];
      estimated_price: components["schemas"]["Money"];
      /**
       * Minimum and maximum minutes until a mechanic arrives: the wait of `outlook`, and half as much again. Null without an
       * expected wait.
       */
      eta_range_min: number[] | null;
      eta_source: components["schemas"]["EtaSource"] | null;
      /**
       * Whether no mechanic can come, and no mechanic of the service, online or not, was last seen within their reach of this
       * place: a job here would find nobody, however long it waits.
       */
      is_outside_area: boolean;
      outlook: components["schemas"]["Outlook"] | null;
      travel_price: components["schemas"]["Money"];
      /** The amount that the customer owes for cancelled jobs. */
      unpaid_fees: components["schemas"]["Money"];
    };
    /** The distance over which a vehicle would be towed. */
    EstimatedDestination: {
      /** The distance from the pickup in metres: by road, or the straight line where no router knows the way. */
      distance_m: number;
      /** How long the way takes, in seconds. */
      duration_s: number;
      /** The source of distance and duration. */
      source: components["schemas"]["EtaSource"];
    };
    /** The details of a job whose price is asked. */
    EstimateRequest: {
      destination?: components["schemas"]["DestinationChoice"] | null;
      pickup_lat: components["schemas"]["Latitude"];
      pickup_lng: components["schemas"]["Longitude"];
      scheduled_for?: components["schemas"]["Timestamp"] | null;
      service_category_id: components["schemas"]["Id"];
      vehicle_id: components["schemas"]["Id"];
    };
    /** How long and how far the mechanic still has to go: to the pickup, and to the destination once the vehicle is loaded. */
    Eta: {
      /** The straight-line distance, in metres. */
      distance_m: number;
      /** How long the way takes, in seconds. */
      eta_s: number;
      source: components["schemas"]["EtaSource"];
    };
    /** The source of an estimate: the straight line or a router, `_learned` where the service's own trips corrected it. */
    EtaSource: "straight_line" | "straight_line_learned" | "osrm" | "osrm_learned" | "valhalla" | "valhalla_learned";
    /** The subject of an event, as it was after the event; a payment, a message or a call as it is now. */
    EventData:
      | components["schemas"]["Job"]
      | components["schemas"]["LineItem"]
      | components["schemas"]["Payment"]
      | components["schemas"]["Message"]
      | components["schemas"]["Call"];
    /** Everything that the service stores about a person. Each list has the form of the API, and is cut to its newest entries. */
    Export: {
      /** Calls as caller and as callee. */
      calls: components["schemas"]["Call"][];
      /** The privacy notices that the person agreed to, and those agreements that they withdrew. */
      consents: components["schemas"]["ConsentRecord"][];
      /** The statements of both sides in the disputes above. */
      dispute_statements: components["schemas"]["DisputeStatement"][];
      disputes: components["schemas"]["Dispute"][];
      /** The moment of which this is a snapshot. */
      exported_at: components["schemas"]["Timestamp"];
      /** Unpaid cancellation fees, the oldest first. */
      fees: components["schemas"]["UnpaidFee"][];
      /** The person's questions and complaints about their data, with the answers. */
      grievances: components["schemas"]["Grievance"][];
      /** The photos of the jobs above. */
      job_photos: components["schemas"]["JobPhoto"][];
      /** Jobs as customer and as mechanic, as that side sees them. */
      jobs: components["schemas"]["Job"][];
      last_position: components["schemas"]["KeptPoint"] | null;
      /** The line items of the jobs above. */
      line_items: components["schemas"]["LineItem"][];
      /** The mails of the last 30 days. */
      mails: components["schemas"]["MailRecord"][];
      mechanic_profile: components["schemas"]["OwnMechanicProfile"] | null;
      /** Why the mechanic's profile is suspended; null if it is not. */
      mechanic_suspension_reason: string | null;
      /** The person's messages about jobs, and other people's messages to them about jobs that they see. */
      messages: components["schemas"]["Message"][];
      /** The no-shows as customer and as the mechanic who reported them. */
      no_shows: components["schemas"]["NoShow"][];
      notification_preferences: components["schemas"]["Preferences"];
      notifications: components["schemas"]["Notification"][];
      /** Every offer to the mechanic, whatever its outcome. */
      offers: components["schemas"]["Offer"][];
      parked: components["schemas"]["ParkedAt"] | null;
      /** Payments as customer and as the mechanic who is paid. */
      payments: components["schemas"]["Payment"][];
      /** The mechanic's positions during the jobs below. */
      positions: components["schemas"]["KeptPoint"][];
      /** The devices, without their tokens. */
      push_devices: components["schemas"]["PushToken"][];
      ratings: components["schemas"]["ExportedRatings"];
      /** The refunds of the payments above. */
      refunds: components["schemas"]["PaymentRefund"][];
      /** The sessions that are still valid. */
      sessions: components["schemas"]["Session"][];
      /** The links, without their tokens. */
      share_links: components["schemas"]["ShareLink"][];
      /** Tows that an admin reviews, as customer and as the mechanic who handed the vehicle over. */
      tow_reviews: components["schemas"]["ReviewedTow"][];
      /** Apps that send a mechanic's positions while the screen is off. */
      trackers: components["schemas"]["Tracker"][];
      /** The names of the lists that were cut; `wallet.transactions` is a list within `wallet`. */
      truncated: string[];
      uploads: components["schemas"]["Upload"][];
      user: components["schemas"]["Me"];
      vehicles: components["schemas"]["Vehicle"][];
      wallet: components["schemas"]["ExportedWallet"] | null;
    };
    /** The ratings that a person gave and received. */
    ExportedRatings: {
      given: components["schemas"]["Rating"][];
      /** The ratings that the person may read. */
      received: components["schemas"]["Rating"][];
    };
    /** A mechanic's money. */
    ExportedWallet: {
      accounts: components["schemas"]["UpiAccount"][];
      balances: components["schemas"]["Wallet"];
      settlements: components["schemas"]["Settlement"][];
      transactions: components["schemas"]["WalletTransaction"][];
      withdrawals: components["schemas"]["Withdrawal"][];
    };
    /** An extension of the promised time of arrival, with its reason. The partner sees both. */
    ExtendPromise: {
      /** The minutes that are added to the promised time. */
      minutes: components["schemas"]["Whole1To240"];
      /** Why, in the words of whoever decided it. */
      reason: components["schemas"]["Text1To500"];
    };
    /** A push that failed permanently. Its text is not shown, because it is for the recipient alone. */
    FailedPush: {
      /** How often it was tried. */
      attempts: number;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      failed_at: components["schemas"]["Timestamp"] | null;
      /** Why it failed; null if it did not. */
      failure: string | null;
      /** The id by which other operations name it. */
      id: string;
      type: components["schemas"]["Kind"];
      /** The account of the person whose it is. */
      user_id: string;
    };
    /**
     * The figures of a period: each event counts on the day on which it happened, so a job may be made on one day and completed on
     * the next.
     */
    Figures: {
      /** The share of accepted offers among those that were answered or expired, 0 to 1; null if there were none. */
      acceptance_rate: number | null;
      /** The commission on the revenue, before refunds. */
      commission: components["schemas"]["Money"];
      /** Jobs that were cancelled in this time. */
      jobs_cancelled: number;
      /** Jobs that were completed in this time. */
      jobs_completed: number;
      /** Jobs that were made in this time. */
      jobs_made: number;
      /** Jobs for which no mechanic was found, then or later. */
      jobs_unserved: number;
      /** Offers that were accepted in this time. */
      offers_accepted: number;
      /** Offers that were declined in this time. */
      offers_declined: number;
      /** Offers that nobody answered in this time. */
      offers_expired: number;
      /** The part of that revenue that has been given back so far. */
      refunded: components["schemas"]["Money"];
      /** The amount that customers paid for jobs and in fees, cash included, before refunds. */
      revenue: components["schemas"]["Money"];
      /** The tax on the revenue, before refunds. */
      tax: components["schemas"]["Money"];
    };
    /** The content type of a file. */
    FileKind: "image/jpeg" | "image/png" | "image/webp" | "image/heic" | "application/pdf";
    /**
     * The URL of a file, at most 2,048 bytes: the `file_url` of one of the caller's uploads, or an https URL on a host of
     * `uploads.allowed_hosts`. The server never fetches it.
     */
    FileUrl: string;
    /** What is in a square of the map. */
    FleetCell: components["schemas"]["FleetCounts"] & {
      /** Its middle. */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** Of a side; the same for all cells of an answer. */
      size_degrees: number;
    };
    FleetCounts: {
      /** Jobs with a mechanic. */
      active_jobs: number;
      /** Mechanics who are online and have a job or an offer. */
      busy: number;
      /** Mechanics who are online without a job or an offer. */
      free: number;
      /** Jobs without a mechanic. */
      waiting_jobs: number;
    };
    /**
     * What an admin's list shows of the jobs and mechanics beyond their places. A socket is sent each once, and again
     * when it changes or is there again.
     */
    FleetDetails: {
      /** What is counted or chosen of jobs. */
      jobs: components["schemas"]["FleetJobDetails"][];
      /** More about the mechanics in this part of the map. */
      mechanics: components["schemas"]["FleetMechanicDetails"][];
      /** Open jobs that are too many to be among `jobs` of the map. */
      omitted_jobs: number;
    };
    /** A driver of the organisation's vehicles. */
    FleetDriver: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** The language of the texts that the driver gets. */
      language: string;
      /** The name, as people read it. */
      name: string;
      /** The phone number in E.164, such as +919876543210. */
      phone: string;
      /** The organisation's own name for the driver. */
      reference: string;
      /** The vehicle of a case that names the driver and no vehicle; null for none. */
      registration_number: string | null;
    };
    /** An open job. */
    FleetJob: {
      /** The id by which other operations name it. */
      id: string;
      /** The pickup. */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** Null if none has accepted it. */
      mechanic_profile_id: string | null;
      /** The kind of help. */
      service_category_id: string;
      status: components["schemas"]["JobStatus"];
      urgency: components["schemas"]["Urgency"];
      /** When its dispatch began. */
      waiting_since: components["schemas"]["Timestamp"];
    };
    FleetJobDetails: {
      /** When it was accepted; null if it was not. */
      accepted_at: components["schemas"]["Timestamp"] | null;
      concern: components["schemas"]["JobConcern"] | null;
      /** Null once they have left. */
      customer_name: string | null;
      /** The customer's phone number; null if their account has none. */
      customer_phone: string | null;
      /** The customer waits to be called. */
      has_open_callback: boolean;
      /** The job that it is about. */
      job_id: string;
      /** Where the vehicle stands, in words. */
      pickup_address: string;
      promised_at: components["schemas"]["Timestamp"] | null;
      /** The vehicle's number plate. */
      vehicle_registration_number: string;
      vehicle_type: components["schemas"]["VehicleType"];
    };
    /** A mechanic who is online. */
    FleetMechanic: {
      /** The job of a busy one. */
      job_id: string | null;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** When the position was recorded. */
      seen_at: components["schemas"]["Timestamp"];
      state: components["schemas"]["FleetState"];
    };
    FleetMechanicDetails: {
      /** As an admin verified it; else as they wrote it. Null once they have left. */
      mechanic_name: string | null;
      /** The mechanic's phone number; null if their account has none. */
      mechanic_phone: string | null;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** The kinds of help. */
      service_category_ids: string[];
      vehicle_types: components["schemas"]["VehicleType"][];
    };
    /** What a mechanic who is online does. */
    FleetState: "free" | "offered" | "busy";
    /** Open jobs and mechanics everywhere. Every display of such a number uses these totals. */
    FleetTotals: {
      /** Jobs with a mechanic. */
      active_jobs: number;
      /**
       * Open jobs on whose way something is wrong, or whose mechanic is late: by more than two minutes, or a fifth of the
       * promised time if that is longer.
       */
      concerns: number;
      /** The online mechanics without a job or an offer; null if the engine does not answer in time. */
      free: number | null;
      /** Mechanics who are online; null if the engine does not answer in time. */
      online: number | null;
      /** Jobs without a mechanic whose search has begun and goes on. */
      waiting_jobs: number;
    };
    /** The mechanics who are online in a box, and the open jobs there: one by one, or counted in cells. */
    FleetView: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      /** From south to north and from west to east, at most 2,000; only those that have something in them. */
      cells: components["schemas"]["FleetCell"][];
      /** Of everything in the box. */
      counts: components["schemas"]["FleetCounts"];
      details: components["schemas"]["FleetDetails"] | null;
      /** The totals of the whole service, as `GET /admin/live` counts them. */
      everywhere: components["schemas"]["FleetTotals"];
      /** If true, `cells` count what is there, and `mechanics` and `jobs` are empty; with `details`, `jobs` are not. */
      is_aggregated: boolean;
      /**
       * By id, at most 2,000. With `details` those elsewhere, too: if they are too many, first those that wait, the longest wait
       * before the others.
       */
      jobs: components["schemas"]["FleetJob"][];
      /** By id, at most 2,000. */
      mechanics: components["schemas"]["FleetMechanic"][];
    };
    /** Cancellations that are free because they come soon after the acceptance. */
    FreeCancellations: {
      /** The number of days for which a cancellation counts. */
      days: number;
      /** How many are left, including this cancellation if it is one of them. */
      left: number;
      /** The number of free cancellations in the period. */
      most: number;
    };
    /** The vehicle's fuel, so that the mechanic brings the right fuel or cable. */
    FuelType: "petrol" | "diesel" | "cng" | "lpg" | "electric" | "hybrid" | "other";
    /** The caller's consent: they have read this version in this language, and agree to it. */
    GivenConsent: {
      /** A language in which the version is written. */
      language: components["schemas"]["NoticeLanguage"];
      /** The number of the version; the newest has the highest. */
      version: components["schemas"]["Whole1To1000000000"];
    };
    /** A grievance, as its person sees it. */
    Grievance: {
      /** Null until it is answered. */
      answer: string | null;
      /** When it was answered; null if it was not. */
      answered_at: components["schemas"]["Timestamp"] | null;
      contact: components["schemas"]["PrivacyContact"] | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The time by which it will be answered. */
      due_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      kind: components["schemas"]["GrievanceKind"];
      status: components["schemas"]["GrievanceStatus"];
      /** The text in the person's words. */
      text: string | null;
    };
    /** An answer to a grievance. */
    GrievanceAnswer: {
      /** What is answered; null before. */
      answer: components["schemas"]["Text1To4000"];
    };
    /** A grievance in the admins' list, without its text. */
    GrievanceEntry: {
      /** The admin who answered; null if nobody did. */
      answered_by: string | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      done_at: components["schemas"]["Timestamp"] | null;
      /** The time by which it has to be answered. */
      due_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      kind: components["schemas"]["GrievanceKind"];
      status: components["schemas"]["GrievanceStatus"];
      /** The person who wrote it. */
      user_id: string;
    };
    /** The subject of a grievance: access to one's data, a correction, a deletion, or a consent. */
    GrievanceKind: "access" | "correction" | "erasure" | "consent" | "other";
    /** The state of a grievance. It is closed if its account was deleted before anybody answered. */
    GrievanceStatus: "open" | "answered" | "closed";
    /** The kind of a guest's message. */
    GuestMessageType: "text" | "location";
    /** One server-sent event to the holder of a link. */
    GuestStreamEvent: {
      /** The data as JSON: a SharedCall for `call.ringing`, a Signal for `call.signal`, else `{}`. */
      data: string;
      /**
       * `changed`: the job, its chat or its call has changed; load it again. `call.ringing`: the mechanic is calling,
       * or the holder's own call is ringing. `call.signal`: a signal of the mechanic's device. `ended`: the link no
       * longer shows anything.
       */
      event: string;
    };
    /** The direction in degrees clockwise from north; -1 if unknown. */
    Heading: number;
    /** The answer of a process that is alive. */
    Health: {
      /** The version of the program, `x-service-version` in the document. */
      service_version: string;
      /** Always "ok". */
      status: string;
      /** The version of the interface, as in the OpenAPI document. */
      version: string;
    };
    /** A cell, and the jobs whose pickup is in it. */
    HeatCell: {
      /** Jobs of these at which a mechanic arrived. */
      arrived: number;
      /** The cell's index in H3. */
      cell: string;
      /** What is counted or chosen of jobs. */
      jobs: number;
      /** The cell's centre, in degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The median time to these arrivals from the beginning of the search; null if there were none. */
      median_minutes_to_arrival: number | null;
      /**
       * The cell's outline, as in a polygon of GeoJSON: longitude and latitude, counter-clockwise, the first point again at the
       * end. At the date line, longitudes continue beyond 180.
       */
      ring: number[][];
      /** The share of jobs that ended without a mechanic, 0 to 1. */
      unserved_share: number;
    };
    /** Demand and waiting times by cells. */
    HeatMap: {
      /** The cells with a job, at most 2,000, in the order of their indexes. */
      cells: components["schemas"]["HeatCell"][];
      /** The first day. */
      from: string;
      /** The hour of the day; null for the whole day. */
      hour: number | null;
      /** The number of jobs in all cells. */
      jobs: number;
      /** The resolution of H3: 8 has cells of about 0.7 km², and each finer one cells of a seventh of that. */
      resolution: number;
      /** The zone of the days and the hour, by its name in the IANA database. */
      time_zone: string;
      /** The last day, included. */
      to: string;
    };
    /** The person who is helped. */
    HelpedPerson: {
      /** The language of the texts. */
      language: string;
      /** The name, as people read it. */
      name: string | null;
      /** The phone number in E.164, such as +919876543210. */
      phone: string | null;
    };
    /** Why an admin hides a rating. */
    HiddenReason: "abusive" | "personal_data" | "off_topic" | "fraud" | "other";
    /** The outcomes of jobs that were held back, since the server started. */
    HoldFigures: {
      /** Holds whose job was served in time anyway. */
      free: number;
      /** Holds after which the mechanic took other work within the time saved. */
      justified: number;
      /** Holds without an outcome so far. */
      open: number;
      /** Holds with neither outcome. */
      wasted: number;
    };
    /** A server by which two phones find a path to each other, like WebRTC's `RTCIceServer`. */
    IceServer: {
      /** The password for the relay; null for a server that asks for none. */
      credential: string | null;
      /** The addresses of the server. */
      urls: string[];
      /** The name for the relay; null for a server that asks for none. */
      username: string | null;
    };
    /** An id in a body. */
    Id: string;
    /** An account of the embedded identity provider. */
    IdentityAccount: {
      /** The invited address. It counts as verified: the token was handed to its owner. */
      email: string;
    };
    /** The provider's metadata (OpenID Connect Discovery 1.0, section 3), as far as it applies. */
    IdentityConfiguration: {
      /** The claims of an ID token. */
      claims_supported: string[];
      /** The algorithms with which ID tokens are signed. */
      id_token_signing_alg_values_supported: string[];
      /** The `iss` of ID tokens. */
      issuer: string;
      /** The address of the keys. */
      jwks_uri: string;
      /** The types of answers to an authorization. */
      response_types_supported: string[];
      /** The way in which the `sub` of an ID token is made. */
      subject_types_supported: string[];
      /** The address where ID tokens are issued. */
      token_endpoint: string;
    };
    /** Published keys (RFC 7517). */
    IdentityKeys: {
      /** The public keys, as RFC 7517 writes them. */
      keys: Record<string, never>[];
    };
    /** The identity of the person who signed in, signed by the identity provider. */
    IdToken: {
      /** The token for the next sign-in on this device with this email. It signs nobody in; keep it when signing out. */
      deviceToken: string;
      /** The token for POST /auth/admin-login. */
      idToken: string;
    };
    /** The result of an import. Lines with faults keep no other line back. */
    ImportedSheet: {
      /** The number of vehicles or drivers that were added. */
      added: number;
      /** The number of those that the organisation had before. */
      known: number;
      /** The lines that are not empty, in their order. */
      lines: components["schemas"]["SheetLine"][];
      /** The number of lines with a fault. */
      refused: number;
    };
    /** An invitation. */
    Invite: {
      /** When it was accepted; null if it was not. */
      accepted_at: components["schemas"]["Timestamp"] | null;
      /** The account that the acceptance made or changed. */
      accepted_by: string | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The desks that the new admin will have. */
      desks: components["schemas"]["Desk"][];
      /** The email address. */
      email: string;
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** The super-admin who invited; null for the command line. */
      invited_by: string | null;
      /** When it was revoked; null if it was not. */
      revoked_at: components["schemas"]["Timestamp"] | null;
      role: components["schemas"]["AdminRole"];
      status: components["schemas"]["InviteStatus"];
    };
    /** The status of an invitation. All but pending are final. */
    InviteStatus: "pending" | "accepted" | "expired" | "revoked";
    /** The place to which a vehicle would be towed. */
    ItemDestination: {
      /** The address in words. */
      address: string;
      /** The distance from the pickup in metres: by road, or the straight line where no router knows the way. */
      distance_m: number;
      /** How long the way takes, in seconds. */
      duration_s: number;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The workshop, if it was chosen from `GET /workshops`; the name is the one at that time. */
      workshop_id: string | null;
      /** The workshop's name; null if it is another place. */
      workshop_name: string | null;
    };
    /** A job (contract 2.3). Every field is always present; it is null if it is empty or not meant for this reader. */
    Job: {
      /** When it was accepted; null if it was not. */
      accepted_at: components["schemas"]["Timestamp"] | null;
      arrived_at: components["schemas"]["Timestamp"] | null;
      base_price: components["schemas"]["Money"];
      /** The name of the person at the vehicle, if that is not the customer. */
      beneficiary_name: string | null;
      /** The beneficiary's number; null for mechanics. */
      beneficiary_phone: string | null;
      callback: components["schemas"]["JobCallback"] | null;
      /** Why the job was cancelled, in words; null if nobody wrote any. */
      cancel_reason: string | null;
      cancel_reason_code: components["schemas"]["CancelReasonCode"] | null;
      cancellation_fee: components["schemas"]["Money"] | null;
      /** When it was cancelled; null if it was not. */
      cancelled_at: components["schemas"]["Timestamp"] | null;
      /** When it was completed; null before. */
      completed_at: components["schemas"]["Timestamp"] | null;
      concern: components["schemas"]["JobConcern"] | null;
      concern_since: components["schemas"]["Timestamp"] | null;
      contact: components["schemas"]["JobContact"] | null;
      contact_preference: components["schemas"]["ContactPreference"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The currency of all amounts. */
      currency: string;
      /** Null for the mechanic once they are paid, or the job has ended otherwise. */
      customer_first_name: string | null;
      /** The customer, by the id of their account. */
      customer_id: string;
      /** What people say about it, in their own words. */
      description: string | null;
      destination: components["schemas"]["JobDestination"] | null;
      /**
       * The price of the way to the destination; 0 without a destination, and for a tow that was agreed on the spot, whose price
       * is a line item's.
       */
      destination_price: components["schemas"]["Money"];
      disputed_at: components["schemas"]["Timestamp"] | null;
      en_route_at: components["schemas"]["Timestamp"] | null;
      estimated_price: components["schemas"]["Money"];
      final_price: components["schemas"]["Money"] | null;
      /** The room in which the customer and the present mechanic talk; null until one of them asks for a token. */
      hms_room_id: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** Whether an admin gave the job to its mechanic, who has not set out yet: nobody knows whether they have seen it. */
      is_unconfirmed: boolean;
      loaded_at: components["schemas"]["Timestamp"] | null;
      /** The mechanic's first name; null before acceptance. */
      mechanic_first_name: string | null;
      mechanic_left: components["schemas"]["MechanicLeft"] | null;
      /** The mechanic's profile; `GET /mechanics/{id}` returns more about them. */
      mechanic_profile_id: string | null;
      navigating_since: components["schemas"]["Timestamp"] | null;
      outcome: components["schemas"]["Outcome"] | null;
      /** The mechanic's notes on the work. */
      outcome_notes: string | null;
      outlook: components["schemas"]["Outlook"] | null;
      partner: components["schemas"]["JobPartner"] | null;
      /** Photos of the damage that the customer sent. */
      photo_urls: string[];
      /** Where the vehicle stands, in words. */
      pickup_address: string;
      /** Degrees north (WGS 84) of where the vehicle stands. */
      pickup_lat: number;
      /** Degrees east (WGS 84) of where the vehicle stands. */
      pickup_lng: number;
      promised_at: components["schemas"]["Timestamp"] | null;
      /** The name of the person who received the vehicle at its destination, as given by the mechanic. */
      received_by: string | null;
      /** When the dispute was decided; null before. */
      resolved_at: components["schemas"]["Timestamp"] | null;
      scheduled_for: components["schemas"]["Timestamp"] | null;
      /** The number of the last event in the job's log that this includes. */
      seq: number;
      /** The kind of help. */
      service_category_id: string;
      /** The category's name when the job was created. The name and the slug stay even if the category is deleted. */
      service_category_name: string;
      /** A name of the kind of help that stays the same, for programs. */
      service_category_slug: string;
      /** Four digits that the mechanic needs to start work; only for the customer, from accepted to arrived. */
      start_code: string | null;
      started_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["JobStatus"];
      travel_price: components["schemas"]["Money"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      urgency: components["schemas"]["Urgency"];
      vehicle: components["schemas"]["JobVehicle"];
      /** The customer's vehicle. */
      vehicle_id: string;
      vehicle_type: components["schemas"]["VehicleType"];
    };
    /** The customer's request to be called, as the customer and admins see it with the job. */
    JobCallback: {
      done_at: components["schemas"]["Timestamp"] | null;
      /** The customer's words. */
      note: string | null;
      outcome: components["schemas"]["CallbackOutcome"] | null;
      /** When it was asked for. */
      requested_at: components["schemas"]["Timestamp"];
    };
    /**
     * What is wrong with the mechanic on its way: nothing is heard of it, it stands still, it gets farther away, or it
     * will be late.
     */
    JobConcern: "dark" | "stalled" | "moving_away" | "slipping";
    /** The people whom the mechanic contacts, and the ways to do so. */
    JobContact: {
      /** The people to contact, according to `contact_preference`; the person with the vehicle comes first. */
      people: components["schemas"]["ContactPerson"][];
      /** The ways in the app, from acceptance on. After the end of the work each way is left out once it is closed. */
      ways: components["schemas"]["ContactWay"][];
    };
    /** The changes to a job; fields that are left out stay as they are. */
    JobCorrection: {
      /** The name of the person at the vehicle, if that is not the customer. */
      beneficiary_name?: components["schemas"]["NameOf100"] | null;
      beneficiary_phone?: components["schemas"]["Phone"] | null;
      /** Every value except booker requires a `beneficiary_phone`. */
      contact_preference?: components["schemas"]["ContactPreference"];
      /** What people say about it, in their own words. */
      description?: components["schemas"]["Text1To2000"] | null;
      photo_urls?: components["schemas"]["FileUrl"][];
      /** Where the vehicle stands, in words. */
      pickup_address?: components["schemas"]["Text1To500"];
      /** Requires `pickup_lng`. The new place must be within `jobs.correction_radius_m` of the original pickup. */
      pickup_lat?: components["schemas"]["Latitude"];
      pickup_lng?: components["schemas"]["Longitude"];
      quoted_price?: components["schemas"]["Money"] | null;
      scheduled_for?: components["schemas"]["Timestamp"] | null;
    };
    /** The vehicle's destination. */
    JobDestination: {
      /** The address in words. */
      address: string;
      /** The distance from the pickup in metres, as it was when the destination was agreed: by road, or the straight line. */
      distance_m: number;
      /**
       * The distance that the mechanic drove with the vehicle, at least: between their positions in straight lines, in metres.
       * Null until it is handed over, and if no position came on the way.
       */
      driven_m: number | null;
      /** How long the way takes, in seconds. */
      duration_s: number;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** Who receives the vehicle at the destination; null if nobody is named. */
      receiver_name: string | null;
      /** The receiver's number; null for mechanics once the job is over. */
      receiver_phone: string | null;
      /** The workshop, if it was chosen from `GET /workshops`; the name is the one at that time. */
      workshop_id: string | null;
      /** The workshop's name; null if it is another place. */
      workshop_name: string | null;
    };
    /** Events of a job, in order. */
    JobEvents: {
      data: components["schemas"]["JobEventView"][];
      /** The last event of the job; greater than the last of `data` if another page follows. */
      last_seq: number;
    };
    /** The type of an event's frame: the subject of the event. */
    JobEventType: "job.updated" | "line_item.updated" | "payment.updated" | "chat.message" | "call.updated";
    /** One event of a job, as the socket shows it. */
    JobEventView: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      data: components["schemas"]["EventData"];
      /** The event's number; they count from 1 without gaps. */
      seq: number;
      type: components["schemas"]["JobEventType"];
    };
    /** A job with the people on it, as only admins see them. */
    JobForAdmin: components["schemas"]["Job"] &
      components["schemas"]["CustomerContact"] &
      components["schemas"]["MechanicContact"];
    /** The number of jobs that a customer may have open at once. */
    JobLimit: { max_open_jobs?: components["schemas"]["Whole1To1000"] | null };
    /** The last known position of a job's mechanic. Both fields are null before acceptance and from completion on. */
    JobLocation: {
      eta: components["schemas"]["Eta"] | null;
      /** The job that it is about. */
      job_id: string;
      location: components["schemas"]["Location"] | null;
    };
    /**
     * The organisation that ordered a job and pays for it, and what it says about the vehicle and its place. Fields that are not
     * known, or not meant for this reader, are null.
     */
    JobPartner: {
      /** The organisation's case, which `GET /admin/partner-cases/{id}` shows; only admins see its id. */
      case_id: string | null;
      /** The height of the entrance. */
      clearance_cm: number | null;
      driver_pays: components["schemas"]["Money"] | null;
      dropoff_contact: components["schemas"]["JobPartnerContact"] | null;
      /** The mechanic's share of the price, after tax and commission; until the work is done, approved line items are added. */
      earnings: components["schemas"]["Money"];
      /** Whether somebody is with the vehicle. */
      is_attended: boolean | null;
      /** The place of the keys; only the mechanic on the job sees it. */
      keys_at: string | null;
      /** The kind of place: garage, basement, roadside, highway, home or other. */
      location_type: string | null;
      /** The organisation's name. */
      name: string;
      /** The organisation's notes for the mechanic. An offer shows them like a customer's description. */
      notes_for_mechanic: string | null;
      /** The number of photos without which the work can't be completed. */
      photos_required: number;
      pickup_contact: components["schemas"]["JobPartnerContact"] | null;
      /** The organisation's purchase order for the job. */
      purchase_order: string | null;
      /** Whether the mechanic sees prices. If not, each price of the job is the mechanic's share of it. */
      shows_prices: boolean;
      /** Further facts about the vehicle. */
      vehicle: components["schemas"]["JobPartnerVehicle"];
    };
    /** A person at a place of the job. */
    JobPartnerContact: {
      /** The name, as people read it. */
      name: string;
      /** The person's number; null unless the service shows numbers (`jobs.show_contact_numbers`). */
      phone: string | null;
    };
    /** Facts about the vehicle that the catalogue does not keep. */
    JobPartnerVehicle: {
      /** The driven wheels. */
      drive: string | null;
      /** The kind of fuel. */
      fuel: string | null;
      /** The distance that the vehicle has been driven, in kilometres. */
      odometer_km: number | null;
      /** The vehicle's identification number; only the mechanic on the job sees it. */
      vin: string | null;
      /** The vehicle's weight. */
      weight_kg: number | null;
    };
    /** A photo of a job, with the job's id. */
    JobPhoto: components["schemas"]["Photo"] & {
      /** The job that it is about. */
      job_id: string;
    };
    /**
     * The ratings of the two sides of a job. A side always sees its own rating. It sees the other's once both have rated or the time
     * for rating is over, and never a hidden one.
     */
    JobRatings: {
      by_customer: components["schemas"]["Rating"] | null;
      by_mechanic: components["schemas"]["Rating"] | null;
      /** Whether each side sees the other's rating. */
      is_revealed: boolean;
      /** The job that it is about. */
      job_id: string;
      ratable_until: components["schemas"]["Timestamp"] | null;
    };
    /** A job as it was after an event. */
    JobSnapshot: {
      /** When it was accepted; null if it was not. */
      accepted_at: components["schemas"]["Timestamp"] | null;
      arrived_at: components["schemas"]["Timestamp"] | null;
      bill: components["schemas"]["SnapshotBill"] | null;
      /** The reason in words; null if nobody wrote any. */
      cancel_reason: string | null;
      /** Why the job was cancelled; null if it was not. */
      cancel_reason_code: string | null;
      cancellation_fee: components["schemas"]["Money"] | null;
      /** When it was cancelled; null if it was not. */
      cancelled_at: components["schemas"]["Timestamp"] | null;
      /** The slug of the service category. */
      category: string;
      /** When it was completed; null before. */
      completed_at: components["schemas"]["Timestamp"] | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      destination: components["schemas"]["SnapshotPlace"] | null;
      en_route_at: components["schemas"]["Timestamp"] | null;
      expected_at: components["schemas"]["Timestamp"] | null;
      /** The id by which other operations name it. */
      id: string;
      loaded_at: components["schemas"]["Timestamp"] | null;
      mechanic: components["schemas"]["SnapshotMechanic"] | null;
      /** The place where the vehicle stands. */
      pickup: components["schemas"]["SnapshotPlace"];
      /** The final price, or the estimate before it. */
      price: components["schemas"]["Money"];
      /** The promised time of arrival. */
      promise: components["schemas"]["SnapshotPromise"];
      scheduled_for: components["schemas"]["Timestamp"] | null;
      started_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["JobStatus"];
    };
    /** Contract 3.1. */
    JobStatus:
      | "pending"
      | "dispatching"
      | "accepted"
      | "en_route"
      | "arrived"
      | "in_progress"
      | "completed"
      | "paid"
      | "cancelled"
      | "no_mechanic_found"
      | "disputed"
      | "resolved";
    /** Why no new jobs are taken, and since when. */
    JobStop: {
      ends_at: components["schemas"]["Timestamp"] | null;
      /** The text that customers read. */
      message: string;
      /** When the stop was set. */
      set_at: components["schemas"]["Timestamp"];
      /** The admin who set the stop. */
      set_by: string;
      /** The name of the admin who set the stop; null if they gave no name. */
      set_by_name: string | null;
    };
    /** A stop of new jobs. */
    JobStopConfig: {
      ends_at: components["schemas"]["Timestamp"] | null;
      /** The message in the operator's words. */
      message: string;
    };
    /** Whether new jobs are taken. */
    JobStopState: { stop: components["schemas"]["JobStop"] | null };
    /** One server-sent event, field by field. `data` is the text of a JSON frame, as a socket gets it. */
    JobStreamEvent: {
      /** What is in the list, or what the event is about. */
      data: string;
      /** The frame's `type`. */
      event: string;
      /** The frame's `seq`; absent if the frame has none. */
      id?: string;
    };
    /** The vehicle as it was when the job was created; readable even after the vehicle is deleted. */
    JobVehicle: {
      /** The vehicle's colour, in words. */
      color: string | null;
      /** The vehicle's make; empty if nobody has given it. */
      make: string;
      /** The vehicle's model; empty if nobody has given it. */
      model: string;
      /** The vehicle's plate; null for the mechanic once the job is over. */
      registration_number: string | null;
      vehicle_type: components["schemas"]["VehicleType"];
    };
    /** A stored point of a mechanic, in the mechanic's own export of their data. */
    KeptPoint: {
      /** By how many metres the position may be wrong; null if unknown. */
      accuracy_m: number | null;
      /** The direction of travel in degrees from north, clockwise; null if unknown. */
      heading: number | null;
      /** The job; null for the last known position, which is also stored while the mechanic has no job. */
      job_id: string | null;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The time of the point, corrected for the phone's clock. */
      recorded_at: components["schemas"]["Timestamp"];
      /** The speed in metres a second; null if unknown. */
      speed_mps: number | null;
    };
    /** The servers to which keys belong. Each server makes and accepts keys of one environment. */
    KeyEnvironment: "live" | "sandbox";
    /** The replacement of a key by another one. */
    KeyRotation: {
      /** The hours for which the old key still works; 24 if not given. */
      overlap_hours?: number | null;
    };
    /** A right of a partner's key. */
    KeyScope: "read" | "cases" | "approvals" | "webhooks" | "keys" | "offers";
    /** The status of a key. */
    KeyStatus: "active" | "replaced" | "expired" | "revoked";
    /** The subject of a notification. */
    Kind:
      | "job_offer"
      | "job_created"
      | "job_assigned"
      | "job_accepted"
      | "job_corrected"
      | "job_en_route"
      | "job_delayed"
      | "job_near"
      | "job_arrived"
      | "job_started"
      | "job_loaded"
      | "job_interrupted"
      | "job_needs_admin"
      | "job_completed"
      | "job_paid"
      | "job_cancelled"
      | "no_show_reported"
      | "no_show_contested"
      | "no_show_decided"
      | "tow_decided"
      | "job_released"
      | "job_reassigned"
      | "job_silent"
      | "job_lost_by_silence"
      | "no_mechanic_found"
      | "search_long"
      | "search_unserved"
      | "search_shorter"
      | "line_item_proposed"
      | "line_item_approved"
      | "line_item_rejected"
      | "payment_captured"
      | "payment_failed"
      | "surplus_returned"
      | "refund_processed"
      | "refund_failed"
      | "dispute_opened"
      | "dispute_statement"
      | "dispute_paid"
      | "dispute_resolved"
      | "mechanic_verified"
      | "mechanic_rejected"
      | "mechanic_suspended"
      | "mechanic_reinstated"
      | "mechanic_change_approved"
      | "mechanic_change_rejected"
      | "grievance_answered"
      | "upi_verified"
      | "upi_name_mismatch"
      | "upi_invalid"
      | "upi_approved"
      | "upi_rejected"
      | "withdrawal_paid"
      | "withdrawal_failed"
      | "withdrawal_reversed"
      | "rating_received"
      | "chat_message"
      | "call_incoming"
      | "call_missed"
      | "callback_not_reached"
      | "parking_over"
      | "parking_left"
      | "parking_unanswered";
    /** A language tag: subtags of letters and digits, the first of 2 or 3 letters (BCP 47), at most 35 characters. */
    Language: string;
    /** Degrees north, -90 to 90. */
    Latitude: number;
    /** @enum {string} */
    LeaveReason:
      | "vehicle_trouble"
      | "cannot_reach"
      | "missing_parts"
      | "wrong_skill"
      | "personal"
      | "other"
      | "silent"
      | "stalled"
      | "moving_away"
      | "late"
      | "reassigned";
    Line: {
      /** The points' longitude and latitude, in this order (RFC 7946, 3.1.1), in the order of the trail. */
      coordinates: number[][];
      /** Always LineString. */
      type: string;
    };
    /** An item of the job's price beyond base and travel. The customer, the mechanic and admins see the same. */
    LineItem: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** What people say about it, in their own words. */
      description: string;
      destination: components["schemas"]["ItemDestination"] | null;
      /** The id by which other operations name it. */
      id: string;
      /** The job that it is about. */
      job_id: string;
      /** A photo that shows the reason; null if there is none. */
      photo_url: string | null;
      /** How many of them. */
      quantity: number;
      status: components["schemas"]["LineItemStatus"];
      /** The amount that the item adds to the price once it is approved: negative for a discount. */
      total: components["schemas"]["Money"];
      type: components["schemas"]["LineItemType"];
      /** The price of one unit, above zero, even for a discount. Tax included. */
      unit_price: components["schemas"]["Money"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** 1 when the item is proposed, and 1 more with each change. */
      version: number;
    };
    /** Where an item stands. A withdrawn one is shown by its last event alone. */
    LineItemStatus: "proposed" | "approved" | "rejected" | "withdrawn";
    /** What an item is for. A discount counts against the others. */
    LineItemType: "labour" | "part" | "travel" | "tow" | "fee" | "discount";
    /** The person to whom an admin has a link sent. */
    LinkRecipient: "customer" | "beneficiary";
    /** A whole list: `{data}`. */
    List_AssignmentCandidate: { data: components["schemas"]["AssignmentCandidate"][] };
    /** A whole list: `{data}`. */
    List_CaseDocument: { data: components["schemas"]["CaseDocument"][] };
    /** A whole list: `{data}`. */
    List_DisputeStatement: { data: components["schemas"]["DisputeStatement"][] };
    /** A whole list: `{data}`. */
    List_LineItem: { data: components["schemas"]["LineItem"][] };
    /** A whole list: `{data}`. */
    List_LostJob: { data: components["schemas"]["LostJob"][] };
    /** A whole list: `{data}`. */
    List_MechanicDocument: {
      /** What is in the list, or what the event is about. */
      data: components["schemas"]["MechanicDocument"][];
    };
    /** A whole list: `{data}`. */
    List_NearWorkshop: { data: components["schemas"]["NearWorkshop"][] };
    /** A whole list: `{data}`. */
    List_Offer: { data: components["schemas"]["Offer"][] };
    /** A whole list: `{data}`. */
    List_OfferPhoto: { data: components["schemas"]["OfferPhoto"][] };
    /** A whole list: `{data}`. */
    List_PartnerPhoto: { data: components["schemas"]["PartnerPhoto"][] };
    /** A whole list: `{data}`. */
    List_PaymentRefund: { data: components["schemas"]["PaymentRefund"][] };
    /** A whole list: `{data}`. */
    List_Photo: {
      /** What is in the list, or what the event is about. */
      data: components["schemas"]["Photo"][];
    };
    /** A whole list: `{data}`. */
    List_PushToken: { data: components["schemas"]["PushToken"][] };
    /** A whole list: `{data}`. */
    List_ServiceCategory: { data: components["schemas"]["ServiceCategory"][] };
    /** A whole list: `{data}`. */
    List_ShareLink: { data: components["schemas"]["ShareLink"][] };
    /** A whole list: `{data}`. */
    List_TestedDevice: { data: components["schemas"]["TestedDevice"][] };
    /** A whole list: `{data}`. */
    List_TimelineEntry: { data: components["schemas"]["TimelineEntry"][] };
    /** A whole list: `{data}`. */
    List_UnpaidFee: { data: components["schemas"]["UnpaidFee"][] };
    /** A whole list: `{data}`. */
    List_UpiAccount: { data: components["schemas"]["UpiAccount"][] };
    /** A whole list: `{data}`. */
    List_Vehicle: { data: components["schemas"]["Vehicle"][] };
    /** A whole list: `{data}`. */
    List_WaitingOffer: { data: components["schemas"]["WaitingOffer"][] };
    /** A whole list: `{data}`. */
    List_WebhookSubscription: { data: components["schemas"]["WebhookSubscription"][] };
    /** A grievance in the list, with the person who wrote it. */
    ListedGrievance: components["schemas"]["GrievanceEntry"] & components["schemas"]["CustomerContact"];
    /** The format in which a list is answered: a page of it, or all of it as CSV. */
    ListFormat: "json" | "csv";
    /** The role in which the caller's jobs are listed. */
    ListRole: "customer" | "mechanic";
    /** The state of the service now. */
    Live: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      engine: components["schemas"]["LiveEngine"];
      /** The totals of the whole service, as the map of admins counts them. */
      everywhere: components["schemas"]["FleetTotals"];
      /** Open jobs, and those that found no mechanic and may be tried again, by status; a status without jobs is left out. */
      jobs: components["schemas"]["OpenJobs"][];
      /** Jobs whose mechanic has a problem on the way or should have arrived: `everywhere.concerns`. */
      jobs_with_a_concern: number;
      mechanics: components["schemas"]["LiveMechanics"];
      queues: components["schemas"]["LiveQueues"];
      /** Open WebSockets. */
      sockets: number;
      waiting: components["schemas"]["Waiting"];
    };
    /** Figures of the engine; null if it does not answer in time. */
    LiveEngine: {
      /** Whether the engine answers. */
      is_answering: boolean;
      /** Jobs that the engine has in memory. */
      job_actors: number | null;
      /** Mechanics whom the engine has in memory. */
      mechanic_actors: number | null;
      /** Jobs that need an offer now. */
      waiting_jobs: number | null;
    };
    /** Mechanics at this moment. */
    LiveMechanics: {
      /** Verified mechanics who want offers. */
      available: number;
      /** Online mechanics who are neither on a job nor being offered one; null where the engine does not answer. */
      free: number | null;
      /** Mechanics to whom a job is being offered. */
      offered: number;
      /** Mechanics who are on a job now. */
      on_a_job: number;
      /** Mechanics whom the dispatcher knows with a position; null where the engine does not answer. */
      online: number | null;
    };
    /** The data that waits to be written, in this process. */
    LiveQueues: {
      /** Decisions of the dispatcher that wait to be recorded. */
      decisions: number;
      /** Positions that wait to be stored. */
      trail_points: number;
    };
    /** Photos of the vehicle on the truck. */
    LoadVehicle: { photo_urls: components["schemas"]["FileUrl"][] };
    /** The assigned mechanic's position, and its age. */
    Location: {
      /** By how many metres the position may be wrong; null if unknown. */
      accuracy_m: number | null;
      /** The position's age when this was sent, in milliseconds. */
      age_ms: number;
      /** The direction of travel in degrees from north, clockwise; null if unknown. */
      heading: number | null;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** The time of the position, corrected for the phone's clock. */
      recorded_at: components["schemas"]["Timestamp"];
      /** The speed in metres a second; null if unknown. */
      speed_mps: number | null;
      /** Whether the position is older than `dispatch.fresh_position_s`: do not show it as current. */
      stale: boolean;
    };
    /** The outcome for the points of a message. `accepted` and `duplicates` are stored, `rejected` are not. */
    LocationReceipt: {
      /** The number of new points. */
      accepted: number;
      /** The number of points that had arrived before. */
      duplicates: number;
      /** The highest `seq` stored so far. */
      last_seq: number | null;
      /** How often to send from now on, in seconds. */
      next_interval_s: number;
      /** The points that were not taken, and why. */
      rejected: components["schemas"]["RejectedPoint"][];
    };
    /** The kind of place where a vehicle stands. */
    LocationType: "garage" | "basement" | "roadside" | "highway" | "home" | "other";
    /** The filter of one server's log. */
    LogFilter: {
      /** The present filter. */
      filter: string;
      /** The server that answered: the other servers of a cluster have their own filters. */
      server_id: string;
      until: components["schemas"]["Timestamp"] | null;
      /** The filter of the settings (`log.filter`), which applies afterwards and after a restart. */
      usual_filter: string;
    };
    Logout: {
      /** Ends every session of the caller. */
      allDevices?: boolean | null;
      refreshToken?: components["schemas"]["TokenText"] | null;
    };
    /** Degrees east, -180 to 180. */
    Longitude: number;
    /**
     * A job that the caller lost because nothing came from their phone, and that nobody else has taken. It shows no more than an
     * offer.
     */
    LostJob: {
      /** The job that it is about. */
      job_id: string;
      /** When the job was lost. */
      left_at: components["schemas"]["Timestamp"];
      /** The name of the kind of help. */
      service_category_name: string;
      /** A name of the kind of help that stays the same, for programs. */
      service_category_slug: string;
      /** Who made the vehicle; empty if nobody has said it. */
      vehicle_make: string;
      /** The vehicle's model; empty if nobody has said it. */
      vehicle_model: string;
      vehicle_type: components["schemas"]["VehicleType"];
    };
    /** The subject of a mail. */
    MailKind: "invitation" | "email_code" | "receipt" | "report";
    /** The outcome of a test mail. */
    MailOutcome: "taken" | "refused" | "not_now" | "unknown" | "not_sent";
    /** A mail to the person, while its row is kept. Its text is never stored. */
    MailRecord: {
      /** The address in words. */
      address: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      kind: components["schemas"]["MailKind"];
      status: components["schemas"]["MailStatus"];
    };
    /** The state of a mail. */
    MailStatus: "pending" | "sent" | "failed" | "skipped";
    /** The mail server's answer to a test mail. */
    MailTest: {
      outcome: components["schemas"]["MailOutcome"];
      /** The step and the status, never the server's words; null if it took the mail. */
      reason: string | null;
    };
    MapCenter: {
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
    };
    /** The beginning of a map, and its streets. */
    MapConfig: {
      /** A PMTiles archive of vector tiles in the OpenMapTiles schema; null if the service has none. A path on this server. */
      basemap_url: string | null;
      /** The longitude and latitude at which a map begins. */
      center: components["schemas"]["MapCenter"];
      /** The zoom with which a map begins. */
      zoom: number;
    };
    /** The proof that a refund was paid by hand. */
    MarkRefundPaid: {
      /** The bank's reference, or whatever else proves the refund. */
      reference: components["schemas"]["Text1To100"];
    };
    MarkSettlementPaid: {
      /** The reference by which the payment is found at the bank. */
      reference: components["schemas"]["Text1To100"];
    };
    MarkWithdrawalFailed: {
      /** The reason why it was not paid; the mechanic reads it. */
      reason: components["schemas"]["Text3To300"];
    };
    MarkWithdrawalPaid: {
      /** The reference by which the payment is found at the bank; the mechanic reads it. */
      reference: components["schemas"]["Text1To100"];
    };
    /** The caller's own account. */
    Me: components["schemas"]["User"] & {
      /**
       * The desks of an admin; empty for everybody else. A request that needs another desk is refused with 403
       * DESK_NEEDED.
       */
      desks: components["schemas"]["Desk"][];
      /**
       * Whether the person has confirmed `email` as their own (`POST /users/me/email`): receipts go to no other
       * address.
       */
      email_verified: boolean;
      /** A BCP 47 tag. */
      language: string;
      /** The mechanic's profile, if the person is a mechanic. */
      mechanic_profile_id: string | null;
    };
    /** The public part of a verified mechanic's profile, for anyone who is signed in. */
    MechanicCard: {
      /** The person's picture; null if they have none. */
      avatar_url: string | null;
      /** The average rating; 0 before the first one. */
      avg_rating: number;
      /** The first word of the person's name; null if they gave none. */
      first_name: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** When the mechanic registered. */
      member_since: components["schemas"]["Timestamp"];
      /** The kinds of help. */
      service_category_ids: string[];
      /** The number of completed jobs. */
      total_jobs: number;
      /** How many ratings the average is of. */
      total_ratings: number;
      vehicle_types: components["schemas"]["VehicleType"][];
    };
    /** A change that a mechanic asks for, next to what they serve now, for the admin who decides. */
    MechanicChange: {
      /** The id by which other operations name it. */
      id: string;
      /** The mechanic's name; null if they gave none. */
      mechanic_name: string | null;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** When it was asked for. */
      requested_at: components["schemas"]["Timestamp"];
      /** The kinds of help that the mechanic offers until the change is approved. */
      served_service_category_ids: string[];
      /** The vehicle types that they serve now. */
      served_vehicle_types: components["schemas"]["VehicleType"][];
      /** The kinds of help. */
      service_category_ids: string[];
      /** The vehicle types that they would serve instead. */
      vehicle_types: components["schemas"]["VehicleType"][];
    };
    /** The mechanic's contact data, as only admins read it; null if there is no mechanic, or once they have left. */
    MechanicContact: {
      /** The mechanic's name; null if they gave none. */
      mechanic_name: string | null;
      /** The mechanic's phone number; null if their account has none. */
      mechanic_phone: string | null;
    };
    MechanicDocument: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** Where the file is, as other requests take it. It opens only by a link of its own. */
      file_url: string;
      /** The id by which other operations name it. */
      id: string;
      status: components["schemas"]["DocumentStatus"];
      type: components["schemas"]["DocumentType"];
    };
    /** A profile as admins see it: the fields of MechanicProfile, the person, and their documents. */
    MechanicForAdmin: {
      /** The status of the account. A mechanic whose account is suspended serves nobody, verified or not. */
      account_status: components["schemas"]["UserStatus"];
      /** The average rating; 0 before the first one. */
      avg_rating: number;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The documents; null in lists, which leave them out. */
      documents: components["schemas"]["MechanicDocument"][] | null;
      /** Whether a change to what they serve waits for an admin. */
      has_pending_change: boolean;
      /** The id by which other operations name it. */
      id: string;
      /** Whether the mechanic wants jobs. */
      is_available: boolean;
      /** The name, as people read it. */
      name: string | null;
      parked_until: components["schemas"]["Timestamp"] | null;
      /** The phone number in E.164, such as +919876543210. */
      phone: string | null;
      /** Why it was rejected, in the admin's words; null if it was not. */
      rejection_reason: string | null;
      /** The kinds of help. */
      service_category_ids: string[];
      /** How far away, in kilometres, the mechanic takes jobs. */
      service_radius_km: number;
      status: components["schemas"]["MechanicStatus"];
      /** Why the account is suspended, in the admin's words; null if it is not. */
      suspension_reason: string | null;
      /** How many jobs the mechanic has completed. */
      total_jobs: number;
      /** How many ratings the average is of. */
      total_ratings: number;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The account of the person whose it is. */
      user_id: string;
      vehicle_types: components["schemas"]["VehicleType"][];
      /** The name that an admin verified with the documents; null until then. */
      verified_name: string | null;
    };
    /** Why and when the last mechanic of a job left it. */
    MechanicLeft: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      reason: components["schemas"]["LeaveReason"];
    };
    /** A mechanic's profile (contract 2.2). */
    MechanicProfile: {
      /** The average rating; 0 before the first one. */
      avg_rating: number;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether the mechanic wants jobs. A mechanic is online if this is true and their position is fresh. */
      is_available: boolean;
      /** Why it was rejected, in the admin's words; null if it was not. */
      rejection_reason: string | null;
      /** How far away, in kilometres, the mechanic takes jobs. */
      service_radius_km: number;
      status: components["schemas"]["MechanicStatus"];
      /** How many jobs the mechanic has completed. */
      total_jobs: number;
      /** How many ratings the average is of. */
      total_ratings: number;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The account of the person whose it is. */
      user_id: string;
      vehicle_types: components["schemas"]["VehicleType"][];
    };
    /** A customer's rating of a mechanic, as everybody who is signed in sees it. */
    MechanicRating: {
      /** What the rater wrote; null if nothing. */
      comment: string | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The customer's first name; null if they have no name, or deleted their account. */
      first_name: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** From 1, bad, to 5, good. */
      score: number;
      tags: components["schemas"]["RatingTag"][];
    };
    /** A mechanic's figures in a period. */
    MechanicStats: {
      /**
       * The share of accepted offers among those that the mechanic could answer (accepted, declined, expired), 0 to 1; null if
       * there were none.
       */
      acceptance_rate: number | null;
      /** The average of the ratings given in the period that the mechanic may read; null if there are none. */
      avg_rating: number | null;
      /** The commission on the gross, before refunds. */
      commission: components["schemas"]["Money"];
      /** The unit of all amounts. */
      currency: string;
      /** The straight-line metres of the trips to customers whose time and place are known (`trips`). */
      driven_m: number;
      /** The duration of those trips, in seconds. */
      driving_s: number;
      /** The mechanic's shares of what was paid and not refunded, including cash. */
      earnings: components["schemas"]["Money"];
      /** The beginning. */
      from: components["schemas"]["Timestamp"];
      /** The amount that customers paid, including cash. Of a job whose organisation hides its prices, the mechanic's share. */
      gross: components["schemas"]["Money"];
      /** The number of jobs that the customer or an admin cancelled after the mechanic had accepted. */
      jobs_cancelled: number;
      /** Jobs that were completed in this time. */
      jobs_completed: number;
      /** The number of jobs that the mechanic gave back, or that were taken from them. */
      jobs_released: number;
      /** Offers that were accepted in this time. */
      offers_accepted: number;
      /** Offers that were declined in this time. */
      offers_declined: number;
      /** Offers that nobody answered in this time. */
      offers_expired: number;
      /** The number of offers made in the period, whatever their outcome. */
      offers_received: number;
      /** The number of offers taken back because another mechanic was faster or the customer cancelled. */
      offers_revoked: number;
      /** The number of ratings in the period. */
      ratings: number;
      /** The part of the gross that was refunded to customers so far. */
      refunds: components["schemas"]["Money"];
      /** The earnings of the period in steps of `step_s`, for a chart; empty without `step_s`. */
      steps: components["schemas"]["StatsStep"][];
      /** The tax on the gross, before refunds. */
      tax: components["schemas"]["Money"];
      /** The first moment after the period. */
      to: components["schemas"]["Timestamp"];
      /** The number of those trips. */
      trips: number;
      /** The time from start to completion of the completed jobs, in seconds. */
      working_s: number;
    };
    /** The status of a mechanic's profile (contract 3.2). */
    MechanicStatus: "pending_verification" | "verified" | "rejected" | "suspended";
    /** The name under which an admin verifies a mechanic. */
    MechanicVerification: { verified_name?: components["schemas"]["NameOf100"] | null };
    /** The role of a member within their organisation. */
    MemberRole: "manager" | "dispatcher" | "viewer";
    /** A message in its current state. */
    Message: {
      /** The text; null where there is none, or none for the reader. */
      body: string | null;
      /** The id that the sender's app gave the message; null if it gave none. */
      client_message_id: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The file can be opened like every upload, by the two sides of the job. */
      file_url: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** Whether its sender deleted their account; its content is then gone. */
      is_removed: boolean;
      /** The job that it is about. */
      job_id: string;
      /** Degrees north (WGS 84). */
      lat: number | null;
      /** Degrees east (WGS 84). */
      lng: number | null;
      /** The mechanic who wrote the message or to whom it was written. A later mechanic of the job does not see it. */
      mechanic_profile_id: string;
      read_at: components["schemas"]["Timestamp"] | null;
      sender: components["schemas"]["ChatAuthor"];
      /** The sender's account. A guest has no account and writes for the customer, so it is the customer's. */
      sender_id: string;
      /** A guest's name, as the customer gave it (`beneficiary_name`); null for others. */
      sender_name: string | null;
      /** The message's number in the job's log: messages are in this order, with other events between them. */
      seq: number;
      type: components["schemas"]["MessageType"];
    };
    /** The kind of a message. */
    MessageType: "text" | "image" | "location";
    /** An amount in the major unit (rupees). At most two decimal places; more are refused. */
    Money: number;
    /** Whether the caller waits somewhere. */
    MyParking: { parked: components["schemas"]["ParkedAt"] | null };
    /** The caller's advice. */
    MyWaitingAdvice: { advice: components["schemas"]["WaitingAdvice"] | null };
    NameOf40: string;
    NameOf100: string;
    NameOf120: string;
    /** Whether another app shows the mechanic the way from now on. */
    Navigating: {
      /** False if the mechanic is back in this app. True if left out. */
      is_elsewhere?: boolean | null;
    };
    /**
     * The mechanics who could help at a place now, without revealing who they are or exactly where. Everything is computed as if
     * each mechanic were in the middle of their cell of a fixed 200 m grid, so that asking from many places reveals no more than the
     * cell.
     */
    NearbyMechanics: {
      /** The number of mechanics, capped at 1,000. */
      count: number;
      eta_source: components["schemas"]["EtaSource"] | null;
      /** The seconds until the nearest could be there, in whole minutes rounded up (a multiple of 60); null if there is none. */
      nearest_eta_s: number | null;
      /** The centres of the cells that contain a mechanic; at most those of the nearest 50. */
      positions: components["schemas"]["Position"][];
    };
    /** How near the mechanic is. */
    NearFigures: {
      /** The straight line to the pickup, in metres. */
      distance_m: number;
      /** The estimated time to the pickup, in seconds. */
      eta_s: number;
    };
    /** A workshop and its distance. */
    NearWorkshop: {
      /** The address in words. */
      address: string;
      /** The straight-line distance from the requested place, in metres. */
      distance_m: number;
      /** The id by which other operations name it. */
      id: string;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The name, as people read it. */
      name: string;
      /** The phone number in E.164, such as +919876543210. */
      phone: string | null;
    };
    NewAccount: {
      /** The password: at least 12 characters, and not easy to guess. */
      password: string;
      /** The token of a pending invitation. */
      token: components["schemas"]["Text1To200"];
    };
    /** A request to be called. */
    NewCallback: { note?: components["schemas"]["Text1To500"] | null };
    /** A breakdown, with the first job that it takes. */
    NewCase: {
      answer_within_s?: components["schemas"]["Whole30To600"] | null;
      answers?: components["schemas"]["CaseAnswers"] | null;
      beneficiary?: components["schemas"]["NewHelpedPerson"] | null;
      /** The organisation's name for the contract under which the jobs of the case are ordered. */
      contract_reference: components["schemas"]["Text1To64"];
      driver_id?: components["schemas"]["Id"] | null;
      internal_notes?: components["schemas"]["Text1To2000"] | null;
      job: components["schemas"]["NewCaseJob"];
      notes_for_mechanic?: components["schemas"]["Text1To1000"] | null;
      /**
       * The organisation's own name for the case. Repeating the same request returns the same case, and another request with this
       * name is refused.
       */
      partner_reference: components["schemas"]["Text1To64"];
      place?: components["schemas"]["NewCasePlace"] | null;
      policy_reference?: components["schemas"]["Text1To64"] | null;
      purchase_order?: components["schemas"]["Text1To64"] | null;
      /** The texts that the beneficiary gets. The default is the contract's list. */
      texts?: components["schemas"]["BeneficiaryText"][] | null;
      vehicle?: components["schemas"]["NewCaseVehicle"] | null;
    };
    /** A person at a place. */
    NewCaseContact: {
      /** The name, as people read it. */
      name: components["schemas"]["NameOf100"];
      phone: components["schemas"]["Phone"];
    };
    /** A document for a case. */
    NewCaseDocument: {
      kind: components["schemas"]["CaseDocumentKind"];
      /** The name, as people read it. */
      name: components["schemas"]["Text1To120"];
      /** The file's `upload_id`, once its bytes are sent. */
      upload_id: components["schemas"]["Id"];
    };
    /** A file that becomes a document of a case. Its bytes must match this announcement. */
    NewCaseFile: {
      content_type: components["schemas"]["FileKind"];
      sha256?: components["schemas"]["Sha256Hex"] | null;
      /** The size of the file in bytes. */
      size_bytes: components["schemas"]["Whole1To1073741824"];
    };
    /** A job of a case. */
    NewCaseJob: {
      /** What people say about it, in their own words. */
      description?: components["schemas"]["Text1To2000"] | null;
      destination?: components["schemas"]["NewDestination"] | null;
      /** Where the vehicle stands, in words. */
      pickup_address: components["schemas"]["Text1To500"];
      pickup_lat: components["schemas"]["Latitude"];
      pickup_lng: components["schemas"]["Longitude"];
      scheduled_for?: components["schemas"]["Timestamp"] | null;
      /** A name of the kind of help that stays the same, for programs. */
      service_category_slug: components["schemas"]["Text1To60"];
      urgency?: components["schemas"]["Urgency"] | null;
    };
    /** The place of the vehicle, and the people there. */
    NewCasePlace: {
      clearance_cm?: components["schemas"]["Whole50To2000"] | null;
      dropoff_contact?: components["schemas"]["NewCaseContact"] | null;
      /** Whether somebody is with the vehicle. */
      is_attended?: boolean | null;
      keys_at?: components["schemas"]["Text1To200"] | null;
      location_type: components["schemas"]["LocationType"];
      pickup_contact?: components["schemas"]["NewCaseContact"] | null;
    };
    /**
     * The vehicle of a case: one of the organisation's vehicles by its id, or a vehicle with its type and registration number, which
     * is added to them.
     */
    NewCaseVehicle: {
      /** The vehicle's colour, in words. */
      color?: components["schemas"]["Text1To30"] | null;
      drive?: components["schemas"]["DriveType"] | null;
      fuel?: components["schemas"]["FuelType"] | null;
      id?: components["schemas"]["Id"] | null;
      /** Who made the vehicle; empty if nobody has said it. */
      make?: components["schemas"]["Text1To60"] | null;
      /** The vehicle's model; empty if nobody has said it. */
      model?: components["schemas"]["Text1To60"] | null;
      odometer_km?: components["schemas"]["Whole0To10000000"] | null;
      registration_number?: components["schemas"]["RegistrationNumber"] | null;
      vehicle_type?: components["schemas"]["VehicleType"] | null;
      vin?: components["schemas"]["Vin"] | null;
      weight_kg?: components["schemas"]["Whole1To100000"] | null;
    };
    NewCategory: {
      attempt_ttl_s?: components["schemas"]["Whole5To86400"] | null;
      base_price: components["schemas"]["Price"];
      /** What people say about it, in their own words. */
      description?: components["schemas"]["Text0To1000"] | null;
      destination?: components["schemas"]["DestinationRule"] | null;
      destination_free_km?: components["schemas"]["Whole0To1000"] | null;
      destination_per_km_price?: components["schemas"]["Price"] | null;
      /** How long such work usually takes, in minutes. */
      estimated_duration_min: components["schemas"]["Whole1To1440"];
      free_km?: components["schemas"]["Whole0To1000"] | null;
      icon_url?: components["schemas"]["FileUrl"] | null;
      in_time_s?: components["schemas"]["Whole60To86400"] | null;
      /** True if not given. */
      is_active?: boolean | null;
      max_rounds?: components["schemas"]["Whole1To100"] | null;
      /** The name, as people read it. */
      name: components["schemas"]["Text1To80"];
      offer_ttl_s?: components["schemas"]["Whole1To3600"] | null;
      per_km_price: components["schemas"]["Price"];
      rings_km?: components["schemas"]["Rings"] | null;
      /** Overrides `dispatch.round_widths`: simultaneous offers in round 1, 2, …; the last applies to every later round. */
      round_widths?: components["schemas"]["Whole1To50"][] | null;
      slug: components["schemas"]["Slug"];
      sort_order?: components["schemas"]["Whole0To10000"] | null;
      urgent_first_round?: components["schemas"]["Whole1To100"] | null;
      vehicle_types: components["schemas"]["VehicleType"][];
      worth_s?: components["schemas"]["Whole60To86400"] | null;
    };
    /** A contract with an organisation. It is never changed: it ends, and another one begins. */
    NewContract: {
      /** Whether a proposed time of arrival counts as accepted at once. The default is true. */
      accepts_promises?: boolean | null;
      approval_default?: components["schemas"]["ApprovalDefault"] | null;
      approval_minutes?: components["schemas"]["Whole1To1440"] | null;
      cover?: components["schemas"]["AgreedAmount"] | null;
      cover_km?: components["schemas"]["Whole1To10000"] | null;
      /** The organisation's own name for the contract, which its cases name. */
      reference: components["schemas"]["Text1To64"];
      /** Whether each case needs a purchase order. The default is false. */
      requires_purchase_order?: boolean | null;
      /** Whether the people who are helped, and their mechanic, see prices. The default is false. */
      shows_prices?: boolean | null;
      /** The kinds of help that are covered. */
      terms: components["schemas"]["NewTerms"][];
      /** The texts that the person who is helped gets, unless a case says otherwise. The default is link and arrival. */
      texts?: components["schemas"]["BeneficiaryText"][] | null;
      valid_from?: components["schemas"]["Timestamp"] | null;
      valid_until?: components["schemas"]["Timestamp"] | null;
    };
    /** The events to send again. */
    NewDeliveryReplay: {
      case_id?: components["schemas"]["Id"] | null;
      job_id?: components["schemas"]["Id"] | null;
      /** Events since this time. */
      since: components["schemas"]["Timestamp"];
      subscription_id?: components["schemas"]["Id"] | null;
    };
    /** The vehicle's destination, and the person who receives it there. */
    NewDestination: {
      /** The address in words. */
      address?: components["schemas"]["Text1To500"] | null;
      lat?: components["schemas"]["Latitude"] | null;
      lng?: components["schemas"]["Longitude"] | null;
      /** Who receives the vehicle at the destination; null if nobody is named. */
      receiver_name?: components["schemas"]["NameOf100"] | null;
      receiver_phone?: components["schemas"]["Phone"] | null;
      workshop_id?: components["schemas"]["Id"] | null;
    };
    /** The reason for a dispute, with a description and evidence. */
    NewDispute: {
      /** What people say about it, in their own words. */
      description: components["schemas"]["Text1To2000"];
      evidence_urls?: components["schemas"]["FileUrl"][] | null;
      reason_code: components["schemas"]["DisputeReason"];
    };
    /** The caller's statement, and the evidence for it. */
    NewDisputeStatement: {
      evidence_urls?: components["schemas"]["FileUrl"][] | null;
      /** What this side says about it. */
      statement: components["schemas"]["Text1To2000"];
    };
    /** A document that a mechanic submits (contract 2.7). */
    NewDocument: { file_url: components["schemas"]["FileUrl"]; type: components["schemas"]["DocumentType"] };
    /** An address to confirm. */
    NewEmail: { email: components["schemas"]["Email"] };
    /** A driver of the organisation's vehicles. */
    NewFleetDriver: {
      language?: components["schemas"]["Language"] | null;
      /** The name, as people read it. */
      name: components["schemas"]["NameOf100"];
      /** The mechanic calls this number, and texts go to it. */
      phone: components["schemas"]["Phone"];
      /** The organisation's own name for the driver, such as a staff number. It names one driver. */
      reference: components["schemas"]["Text1To64"];
      registration_number?: components["schemas"]["RegistrationNumber"] | null;
    };
    /** A person's question or complaint about their data. */
    NewGrievance: {
      kind: components["schemas"]["GrievanceKind"];
      /** The question or complaint in the person's words. */
      text: components["schemas"]["Text1To2000"];
    };
    /** A message from the guest of a link to the mechanic. */
    NewGuestMessage: {
      body?: components["schemas"]["Text1To2000"] | null;
      /** The sender's own id for the message, new for each one. Sending it again yields the same message. */
      client_message_id: components["schemas"]["Id"];
      lat?: components["schemas"]["Latitude"] | null;
      lng?: components["schemas"]["Longitude"] | null;
      type: components["schemas"]["GuestMessageType"];
    };
    /** The person who is helped. They need no account. */
    NewHelpedPerson: {
      language?: components["schemas"]["Language"] | null;
      /** The name, as people read it. */
      name: components["schemas"]["NameOf100"];
      /** The mechanic calls this number, and texts go to it. */
      phone: components["schemas"]["Phone"];
    };
    NewInvite: {
      /** The desks at which an admin is to work; every desk if not given. Not for a super-admin, who is at every desk. */
      desks?: components["schemas"]["Desk"][] | null;
      /** The email of the invited person; an identity with this email, verified, may accept. */
      email: components["schemas"]["Email"];
      role: components["schemas"]["AdminRole"];
    };
    /** A request for help. */
    NewJob: {
      beneficiary_name?: components["schemas"]["NameOf100"] | null;
      beneficiary_phone?: components["schemas"]["Phone"] | null;
      contact_preference?: components["schemas"]["ContactPreference"] | null;
      /** What people say about it, in their own words. */
      description?: components["schemas"]["Text1To2000"] | null;
      destination?: components["schemas"]["NewDestination"] | null;
      photo_urls?: components["schemas"]["FileUrl"][] | null;
      /** Where the vehicle stands, in words. */
      pickup_address: components["schemas"]["Text1To500"];
      pickup_lat: components["schemas"]["Latitude"];
      pickup_lng: components["schemas"]["Longitude"];
      scheduled_for?: components["schemas"]["Timestamp"] | null;
      service_category_id: components["schemas"]["Id"];
      urgency?: components["schemas"]["Urgency"] | null;
      vehicle_id: components["schemas"]["Id"];
    };
    /** A stop of new jobs. */
    NewJobStop: {
      ends_at?: components["schemas"]["Timestamp"] | null;
      /** The text that customers read. */
      message: components["schemas"]["Text1To300"];
    };
    /** A new item of the job's price beyond base and travel. */
    NewLineItem: {
      /** What people say about it, in their own words. */
      description: components["schemas"]["Text1To500"];
      photo_url?: components["schemas"]["FileUrl"] | null;
      /** How many of them. */
      quantity: components["schemas"]["Whole1To1000"];
      type: components["schemas"]["LineItemType"];
      /** For a discount, the amount by which it lowers the price. Tax included. */
      unit_price: components["schemas"]["UnitPrice"];
    };
    /** A new request. Its link is shown only here. */
    NewlyAskedPlace: {
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      not_texted: components["schemas"]["NotTexted"] | null;
      sent_at: components["schemas"]["Timestamp"] | null;
      /** The link for sharing a place. It is short enough to be read out: neither case nor hyphens matter. */
      url: string;
    };
    /** An invitation with its token, which is shown only once. */
    NewlyInvited: components["schemas"]["Invite"] & {
      /**
       * Whether a mail brings the token to the invited person as well, because the service sends mail
       * (`mail.provider`).
       */
      mailed: boolean;
      /**
       * The token for POST /auth/accept-invite. Hand it to the invited person by a way that only they read; it is not
       * stored.
       */
      token: string;
    };
    /** A key with its text, which is shown only once. */
    NewlyMadeKey: components["schemas"]["PartnerKey"] & {
      /** The key itself, for the header `Authorization: Bearer`. It is not stored. */
      secret: string;
    };
    /** The recipient of a test mail. */
    NewMailTest: { email?: components["schemas"]["Email"] | null };
    /** A dispute that a mechanic opens about one of their jobs. */
    NewMechanicDispute: {
      /** What people say about it, in their own words. */
      description: components["schemas"]["Text1To2000"];
      evidence_urls?: components["schemas"]["FileUrl"][] | null;
      job_id: components["schemas"]["Id"];
      reason_code: components["schemas"]["DisputeReason"];
    };
    /** A message from one side to the other. */
    NewMessage: {
      body?: components["schemas"]["Text1To2000"] | null;
      /** The sender's own id for the message, new for each one. Sending it again yields the same message. */
      client_message_id: components["schemas"]["Id"];
      file_url?: components["schemas"]["FileUrl"] | null;
      lat?: components["schemas"]["Latitude"] | null;
      lng?: components["schemas"]["Longitude"] | null;
      type: components["schemas"]["MessageType"];
    };
    /** The subject of an order: a job, or a set of cancellation fees. */
    NewOrder: {
      /** The cancelled jobs whose fees are paid; give either this or `job_id`. */
      fee_job_ids?: components["schemas"]["Id"][] | null;
      job_id?: components["schemas"]["Id"] | null;
      method?: components["schemas"]["PayBy"] | null;
    };
    NewOrganisation: {
      email?: components["schemas"]["Email"] | null;
      kind: components["schemas"]["OrganisationKind"];
      /** The name, as people read it. */
      name: components["schemas"]["NameOf100"];
      phone?: components["schemas"]["Phone"] | null;
    };
    NewOrganisationMember: {
      /** The name of a new account; an account that exists keeps its name. */
      name: components["schemas"]["NameOf100"];
      /** The number with which they sign in. It gets an account if it has none. */
      phone: components["schemas"]["Phone"];
      role: components["schemas"]["MemberRole"];
    };
    NewOwnKey: {
      /** After how many days the key ends. */
      expires_in_days: number;
      /** The program that will use the key, in words. */
      name: components["schemas"]["NameOf100"];
      /** Some of the caller's own scopes. */
      scopes: components["schemas"]["KeyScope"][];
    };
    NewPartnerKey: {
      /** Other organisations for which an agency's key may act. */
      acts_for?: components["schemas"]["Id"][] | null;
      /** After how many days the key ends. */
      expires_in_days: number;
      /** The program that will use the key, in words. */
      name: components["schemas"]["NameOf100"];
      /** How many requests the key may make in a minute; 600 if not given. */
      requests_per_minute?: number | null;
      scopes: components["schemas"]["KeyScope"][];
    };
    NewPhoto: { file_url: components["schemas"]["FileUrl"]; stage: components["schemas"]["PhotoStage"] };
    /** The person to ask where they are. */
    NewPlaceRequest: { phone: components["schemas"]["Phone"] };
    /** The next version of the privacy notice. */
    NewPrivacyNotice: {
      /** Whether people who agreed to an earlier version have to agree anew. A small correction need not ask them. */
      ask_again: boolean;
      follows?: components["schemas"]["Whole0To1000000000"] | null;
      texts: components["schemas"]["NoticeTexts"];
    };
    NewPushToken: {
      app?: components["schemas"]["App"] | null;
      /** The app's own name for the device, the same as long as it is installed: a new token replaces the old one. */
      device_id: components["schemas"]["Text1To200"];
      keys?: components["schemas"]["NewSubscriptionKeys"] | null;
      platform: components["schemas"]["Platform"];
      token: components["schemas"]["DeviceToken"];
    };
    /** A question to add to a category. */
    NewQuestion: {
      /** Required if `kind` is choice, and can't be given otherwise. */
      choices?: components["schemas"]["Text1To60"][] | null;
      key: components["schemas"]["QuestionKey"];
      kind: components["schemas"]["AnswerKind"];
      /** The question in words. */
      text: components["schemas"]["Text1To200"];
    };
    /** The questions of a category, which replace the present ones. */
    NewQuestions: {
      /** The questions in the order in which they are asked. */
      questions: components["schemas"]["NewQuestion"][];
    };
    /** A rating of the other side. */
    NewRating: {
      /** What the rater wrote; null if nothing. */
      comment?: components["schemas"]["Text1To1000"] | null;
      /** The score from 1 to 5; 5 is best. */
      score: components["schemas"]["Whole1To5"];
      /** Tags for the other side; repeated ones count once. */
      tags?: components["schemas"]["RatingTag"][] | null;
    };
    /** A request for a refund. */
    NewRefund: {
      amount?: components["schemas"]["Money"] | null;
      /** Why, in the words of whoever decided it. */
      reason: components["schemas"]["Text1To500"];
    };
    /** The secret for an authenticator app (TOTP, RFC 6238); shown only once. */
    NewSecondFactor: {
      /** The same secret as a link, to be shown as a QR code. */
      otpauthUrl: string;
      /** The secret in base32, to be typed in. */
      secret: string;
    };
    /**
     * The permissions of the link's holder. An empty body makes a link that only shows the job, or, if `contact_preference` names
     * the beneficiary, also lets its holder write and call.
     */
    NewShare: {
      /**
       * Whether the holder may write to and call the mechanic, and be called, in place of the customer. If not given, true if the
       * job's `contact_preference` is beneficiary or both, else false.
       */
      may_contact?: boolean | null;
      send_to?: components["schemas"]["ShareRecipient"] | null;
      /**
       * Whether the link shows the start code from acceptance until the work starts, so that the person at the vehicle can give it
       * to the mechanic. False if not given.
       */
      shows_start_code?: boolean | null;
    };
    /** A new link. Its token is shown only here. */
    NewShareLink: {
      /** When the link ends at the latest; it ends with the job. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether the link's holder may write to the mechanic and call them. */
      may_contact: boolean;
      sent_at: components["schemas"]["Timestamp"] | null;
      /** Whether the link shows the start code. */
      shows_start_code: boolean;
      /** The last part of `url`. */
      token: string;
      /** The link to share: anyone who has it can follow the job. */
      url: string;
    };
    /** A signal that a guest's device sends to the mechanic's. */
    NewSignal: {
      /** The content for the other device: at most 12288 bytes as JSON. */
      payload: unknown;
    };
    /** The recipient of a test message. */
    NewSmsTest: {
      /** A phone that the admin has at hand. */
      phone: components["schemas"]["Phone"];
    };
    /** A subscription to be made. */
    NewSubscription: {
      eta_below_min?: components["schemas"]["Whole1To120"] | null;
      /** The kinds of events; all if it is empty or missing. */
      events?: components["schemas"]["PartnerEventKind"][];
      positions_every_s?: components["schemas"]["Whole5To3600"] | null;
      /** The address to which events are sent: https, a public host with a name, the usual port. */
      url: components["schemas"]["Text1To2000"];
      within_m?: components["schemas"]["Whole50To50000"] | null;
    };
    /** The `keys` of a browser's subscription (`PushSubscription.toJSON()`), in base64url. */
    NewSubscriptionKeys: {
      /** 16 bytes. */
      auth: components["schemas"]["Text1To40"];
      /** 65 bytes. */
      p256dh: components["schemas"]["Text1To100"];
    };
    /** The agreement about a kind of help. */
    NewTerms: {
      call_out?: components["schemas"]["AgreedAmount"] | null;
      cancelled_percent?: components["schemas"]["Whole0To100"] | null;
      destination_refused_percent?: components["schemas"]["Whole0To100"] | null;
      free_cancellation_minutes?: components["schemas"]["Whole0To1440"] | null;
      gone_on_arrival_percent?: components["schemas"]["Whole0To100"] | null;
      included_km?: components["schemas"]["Whole0To10000"] | null;
      per_km?: components["schemas"]["AgreedAmount"] | null;
      photos_required?: components["schemas"]["Whole0To10"] | null;
      pricing: components["schemas"]["PricingRule"];
      promise_missed_percent?: components["schemas"]["Whole0To100"] | null;
      service_category_id: components["schemas"]["Id"];
      unsuccessful_percent?: components["schemas"]["Whole0To100"] | null;
    };
    /** A tow that the mechanic at the vehicle proposes. */
    NewTow: { destination: components["schemas"]["DestinationChoice"] };
    /** A tracker to be connected. */
    NewTracker: {
      app: components["schemas"]["TrackerApp"];
      /** The name by which the mechanic recognises the tracker. */
      name: components["schemas"]["NameOf40"];
    };
    NewUpiAccount: { holder_name?: components["schemas"]["NameOf120"] | null; vpa: components["schemas"]["Vpa"] };
    /** A file to upload. Its bytes must match this announcement. */
    NewUpload: {
      content_type: components["schemas"]["FileKind"];
      purpose: components["schemas"]["UploadPurpose"];
      sha256?: components["schemas"]["Sha256Hex"] | null;
      /** The size of the file in bytes. */
      size_bytes: components["schemas"]["Whole1To1073741824"];
    };
    /** A person who calls for help by phone. */
    NewUser: { name?: components["schemas"]["NameOf100"] | null; phone: components["schemas"]["Phone"] };
    NewVehicle: {
      /** The vehicle's colour, in words. */
      color?: components["schemas"]["Text1To30"] | null;
      fuel_type?: components["schemas"]["FuelType"] | null;
      /** Whether the vehicle becomes the default; the first vehicle always does. */
      is_default?: boolean | null;
      make?: components["schemas"]["Text1To60"] | null;
      model?: components["schemas"]["Text1To60"] | null;
      registration_number: components["schemas"]["RegistrationNumber"];
      vehicle_type: components["schemas"]["VehicleType"];
      /** The year in which the vehicle was made. */
      year?: components["schemas"]["Whole1900To2200"] | null;
    };
    NewWithdrawal: {
      amount: components["schemas"]["Money"];
      /** The account to which the money goes; the default account if left out. */
      upi_account_id?: string | null;
    };
    NewWorkshop: {
      /** The address in words. */
      address: components["schemas"]["Text1To500"];
      /** True if not given. */
      is_active?: boolean | null;
      lat: components["schemas"]["Latitude"];
      lng: components["schemas"]["Longitude"];
      /** The name, as people read it. */
      name: components["schemas"]["Text1To100"];
      phone?: components["schemas"]["Phone"] | null;
    };
    NextRelease: {
      /** The held amount; the mechanic's debts at that time are taken off it first. */
      amount: components["schemas"]["Money"];
      /** When it clears. A dispute or a chargeback that begins before then holds it longer. */
      at: components["schemas"]["Timestamp"];
    };
    /** The body of an action that needs nothing: empty or `{}`. */
    NoFields: Record<string, never>;
    /**
     * A no-show that the mechanic reported. If a position proves the arrival, the fee is due at once; if not, nothing is
     * due until an admin has decided. The customer can contest it in either case.
     */
    NoShow: {
      /** The amount that is due, or will be due if the customer is charged. */
      amount: components["schemas"]["Money"];
      /**
       * The time until which the customer can contest a fee, once. An open no-show without a statement can be contested
       * until it is decided.
       */
      contestable_until: components["schemas"]["Timestamp"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      decided_at: components["schemas"]["Timestamp"] | null;
      /**
       * The distance from the pickup to the mechanic's last plausible position at the arrival, in metres; null without a
       * position.
       */
      distance_m: number | null;
      /** The job's id: a job has one no-show at most. */
      id: string;
      /** The job that it is about. */
      job_id: string;
      /** The reason for the decision. */
      note: string | null;
      /** The reason that the mechanic gave for having arrived. */
      override_reason: string | null;
      stated_at: components["schemas"]["Timestamp"] | null;
      /** The customer's account of what happened. */
      statement: string | null;
      status: components["schemas"]["NoShowStatus"];
    };
    /** A no-show with the people on both sides, as only admins see it. */
    NoShowForAdmin: components["schemas"]["NoShow"] &
      components["schemas"]["CustomerContact"] &
      components["schemas"]["MechanicContact"] & {
        /** The customer, by the id of their account. */
        customer_id: string;
        /** The mechanic, by the id of their profile. */
        mechanic_profile_id: string;
        /**
         * Whether the phone marked a position of the mechanic as simulated, or a position was too far from the previous
         * one to have been driven. Null if no position is kept any longer.
         */
        positions_jump: boolean | null;
        /**
         * Whether all positions between the acceptance and the report come from one place. Null if no position is kept any
         * longer.
         */
        positions_stand_still: boolean | null;
      };
    /**
     * The status of a no-show: the fee is due, an admin has yet to decide, or an admin has charged the customer or
     * dropped the claim.
     */
    NoShowStatus: "due" | "open" | "charged" | "dropped";
    /** Why a contract does not cover a job. */
    NotCovered: "not_valid" | "category_not_covered" | "destination_too_far";
    /** The languages of privacy notices (ISO 639). */
    NoticeLanguage: "en" | "hi" | "kn";
    /** The texts of a version: paragraphs with empty lines between them, and lines that begin with `- ` for the items of a list. */
    NoticeTexts: {
      /** The text in English. */
      en: components["schemas"]["Text1To6000"];
      hi?: components["schemas"]["Text1To6000"] | null;
      kn?: components["schemas"]["Text1To6000"] | null;
    };
    /** A notification of the caller (contract 2.5). */
    Notification: {
      /** The text; null where there is none, or none for the reader. */
      body: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The ids of the notification's objects by name: `job_id`, `offer_id`, `payment_id` … */
      data: { [key: string]: string };
      /**
       * The push's status: sent once a device's push service accepted it; skipped if there was no device, the topic is off or it
       * was too late.
       */
      delivery_status: components["schemas"]["DeliveryStatus"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether the person has read it. */
      is_read: boolean;
      /** The title, like the body in the person's language if the service has texts in it (en, hi, kn), else in English. */
      title: string;
      type: components["schemas"]["Kind"];
      /** The account of the person whose it is. */
      user_id: string;
    };
    /** Why the link is not sent by a text message. */
    NotTexted: "no_provider" | "no_template" | "no_budget" | "refused" | "unknown";
    /** A job that a mechanic may take. */
    Offer: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      destination: components["schemas"]["OfferedDestination"] | null;
      /** The straight line to the pickup in metres, rounded up to whole 100 m as the pickup is rounded. */
      distance_m: number;
      /** The mechanic's share of that price, after tax and commission; approved line items are added. */
      estimated_earnings: components["schemas"]["Money"];
      /**
       * The price quoted to the customer for the job, without line items; the mechanic's share of it if the organisation that ordered
       * the job hides prices.
       */
      estimated_price: components["schemas"]["Money"];
      /**
       * Seconds to the pickup, rounded up to whole minutes (a multiple of 60): exact seconds would undo the rounding of the
       * pickup.
       */
      eta_s: number;
      eta_source: components["schemas"]["EtaSource"];
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      job: components["schemas"]["OfferedJob"];
      /** The job that it is about. */
      job_id: string;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      partner: components["schemas"]["JobPartner"] | null;
      /** The round of the search, from 1. */
      round: number;
      /** How far it has come. */
      status: components["schemas"]["OfferStatus"];
    };
    /** The place to which a vehicle is to be towed, rounded like the pickup. */
    OfferedDestination: {
      /** The distance from the pickup in metres, rounded up to whole 100 m. */
      distance_m: number;
      /** The driving time from the pickup, rounded up to whole minutes. */
      duration_s: number;
      /** Degrees north (WGS 84), rounded to 100 m. */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The workshop's name, if the place is a workshop of `GET /workshops`. */
      workshop_name: string | null;
    };
    /** The part of a job that an offer shows before it is accepted: no address, name, phone or registration number. */
    OfferedJob: {
      /**
       * The customer's description: the first 200 characters, without anything that looks like a phone number, a plate, a postal
       * code, an email address, a UPI address or a web address. The mechanic who accepts the job reads all of it.
       */
      description: string | null;
      /** The number of photos that came with the job; `GET /offers/{id}/photos` opens them. */
      photo_count: number;
      /** The pickup, rounded to 100 m. */
      pickup_lat: number;
      /** Degrees east (WGS 84) of where the vehicle stands. */
      pickup_lng: number;
      /** The kind of help. */
      service_category_id: string;
      /** The name of the kind of help. */
      service_category_name: string;
      /** A name of the kind of help that stays the same, for programs. */
      service_category_slug: string;
      urgency: components["schemas"]["Urgency"];
      /** The vehicle's make; empty if nobody has given it. */
      vehicle_make: string;
      /** The vehicle's model; empty if nobody has given it. */
      vehicle_model: string;
      vehicle_type: components["schemas"]["VehicleType"];
    };
    /** A photo of the damage, for a mechanic who decides on an offer. */
    OfferPhoto: {
      /** When the link ends: with the offer at the latest. */
      expires_at: components["schemas"]["Timestamp"];
      /** A link that anyone who has it can open without a token. */
      url: string;
    };
    /** The help for which a club asks, and the stage of its offer. */
    OfferSnapshot: {
      call_asked_at: components["schemas"]["Timestamp"] | null;
      /** What people say about it, in their own words. */
      description: string | null;
      /** The address to which the vehicle is towed; null if it is not towed, or the workshop was named by its id. */
      destination_address: string | null;
      /** The minutes until the arrival, as they were promised; null before the acceptance. */
      eta_min: number | null;
      /** Until when dispatchers can answer, or, after an acceptance, the club can confirm. */
      offered_until: components["schemas"]["Timestamp"];
      /** Where the vehicle stands, in words. */
      pickup_address: string;
      /** Degrees north (WGS 84) of where the vehicle stands. */
      pickup_lat: number;
      /** Degrees east (WGS 84) of where the vehicle stands. */
      pickup_lng: number;
      promised_at: components["schemas"]["Timestamp"] | null;
      refusal_reason: components["schemas"]["ClubRefusalReason"] | null;
      /** A name of the kind of help that stays the same, for programs. */
      service_category_slug: string;
      stage: components["schemas"]["ClubStage"];
    };
    /** @enum {string} */
    OfferStatus: "pending" | "accepted" | "declined" | "expired" | "revoked";
    /** Open jobs of one status. */
    OpenJobs: {
      /** How many jobs are open. */
      count: number;
      /** Seconds since the oldest of these jobs was made. */
      oldest_age_s: number;
      status: components["schemas"]["JobStatus"];
    };
    /** The operator of the service. */
    OperatorConfig: {
      /** The name by which customers know the service. */
      brand: string;
      privacy_contact: components["schemas"]["PrivacyContact"] | null;
      /** The operator's privacy statement. */
      privacy_url: string | null;
      /** The terms that customers and mechanics agree to. */
      terms_url: string | null;
    };
    /** An order, with which the customer's app opens the gateway's checkout. */
    OrderMade: {
      amount: components["schemas"]["Money"];
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      expires_at: components["schemas"]["Timestamp"] | null;
      /** The order's id at the gateway; null for cash. */
      gateway_order_id: string | null;
      /** The gateway's public key id; null for cash. */
      key_id: string | null;
      method: components["schemas"]["Channel"];
      /** The payment that it is about. */
      payment_id: string;
    };
    /** An organisation that orders help for others. */
    Organisation: {
      /** The account in whose name its jobs and vehicles are. Nobody signs in to it. */
      account_id: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The email address. */
      email: string | null;
      /** The id by which other operations name it. */
      id: string;
      kind: components["schemas"]["OrganisationKind"];
      /** The name, as people read it. */
      name: string;
      /** The number of the office that answers for its cases; null if unknown. */
      phone: string | null;
      status: components["schemas"]["OrganisationStatus"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
    };
    /** The fields to change; all others stay. */
    OrganisationChanges: {
      email?: components["schemas"]["Email"] | null;
      kind?: components["schemas"]["OrganisationKind"];
      /** The name, as people read it. */
      name?: components["schemas"]["NameOf100"];
      phone?: components["schemas"]["Phone"] | null;
      status?: components["schemas"]["OrganisationStatus"];
    };
    /** The kind of an organisation. */
    OrganisationKind: "insurer" | "club" | "manufacturer" | "lessor" | "fleet" | "agency" | "other";
    /** A person who acts for an organisation. */
    OrganisationMember: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** The name, as people read it. */
      name: string | null;
      /** The organisation whose it is. */
      organisation_id: string;
      /** The phone number in E.164, such as +919876543210. */
      phone: string | null;
      role: components["schemas"]["MemberRole"];
      /** The person's account. */
      user_id: string;
    };
    /** Whether an organisation may act. */
    OrganisationStatus: "active" | "suspended";
    /** A position by OsmAnd's protocol, as a query string or a form. Other parameters are not read. */
    OsmAndPosition: {
      /** The accuracy in metres. */
      accuracy?: number | null;
      /** The direction in degrees clockwise from north. */
      bearing?: number | null;
      /** The tracker's token; `deviceid` is accepted as well. */
      id?: string | null;
      lat?: components["schemas"]["Latitude"] | null;
      /** The latitude and the longitude, instead of `lat` and `lon`. */
      location?: string | null;
      lon?: components["schemas"]["Longitude"] | null;
      /** The speed in knots. */
      speed?: number | null;
      /** The time as seconds or milliseconds since 1970, or as a date and a time; now if it is missing. */
      timestamp?: string | null;
    };
    /** How long the code is valid, and when it may be sent again. */
    OtpSent: {
      /** Seconds for which the code is valid. */
      expiresIn: number;
      /** The code itself: in development only. */
      otp?: string | null;
      /** Seconds after which the code may be sent again; an earlier request is refused with 429. */
      resendAfter: number;
    };
    /** A one-time password: six digits. Its debug print hides it. */
    OtpText: string;
    /** How the work ended. towed: the vehicle was handed over at its destination. */
    Outcome: "fixed" | "temporary" | "needs_tow" | "not_fixable" | "towed";
    /** The outcome of a job on account, as far as contracts distinguish outcomes. */
    OutcomeKind:
      | "completed"
      | "gone_on_arrival"
      | "unsuccessful"
      | "destination_refused"
      | "cancelled_by_partner"
      | "cancelled_by_us"
      | "promise_missed"
      | "no_mechanic";
    Outlook: {
      /** The chance in percent that a mechanic arrives within `in_time_s` of the call, in steps of 5. */
      chance_in_time_percent: number;
      /** The expected seconds from now until a mechanic arrives, in whole minutes; null if no mechanic who is online could come. */
      expected_wait_s: number | null;
      /** The time that counts as in time: seconds from the call, or for a scheduled job from the beginning of its dispatch. */
      in_time_s: number;
      /**
       * Whether the `reason` is `held`: the search goes on and sends another mechanic as soon as one is free. Waiting may pay off:
       * the wait above counts this.
       */
      is_held: boolean;
      /**
       * Whether any mechanic who is online could serve the job, now or when they are free. If not, only a mechanic who
       * comes online can help: offer to cancel.
       */
      is_served: boolean;
      /** The reason why it takes so long, or why no mechanic can come. */
      reason: components["schemas"]["WaitReason"];
    };
    /** A profile as its mechanic sees it: the fields of MechanicProfile (contract 2.2), and more. */
    OwnMechanicProfile: {
      /** The average rating; 0 before the first one. */
      avg_rating: number;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The documents in the order in which they were submitted; at most 20. */
      documents: components["schemas"]["MechanicDocument"][];
      /** The id by which other operations name it. */
      id: string;
      /** Whether the mechanic wants jobs. A mechanic is online if this is true and their position is fresh. */
      is_available: boolean;
      pending_change: components["schemas"]["PendingChange"] | null;
      /** Why it was rejected, in the admin's words; null if it was not. */
      rejection_reason: string | null;
      /** The kinds of help. */
      service_category_ids: string[];
      /** How far away, in kilometres, the mechanic takes jobs. */
      service_radius_km: number;
      status: components["schemas"]["MechanicStatus"];
      /** Why the mechanic was taken off duty, in the admin's words; null if they were not. */
      suspension_reason: string | null;
      /** How many jobs the mechanic has completed. */
      total_jobs: number;
      /** How many ratings the average is of. */
      total_ratings: number;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The account of the person whose it is. */
      user_id: string;
      vehicle_types: components["schemas"]["VehicleType"][];
      /** The name that an admin verified with the documents; null until then. Names at banks are compared with it. */
      verified_name: string | null;
    };
    /** A message of OwnTracks in HTTP mode. Other fields are not read. */
    OwnTracksMessage: {
      /** The kind of the message. Only `location` has a position. Other kinds are taken and not used. */
      _type?: string | null;
      /** The accuracy in metres. */
      acc?: number | null;
      /** The direction in degrees clockwise from north. */
      cog?: number | null;
      lat?: components["schemas"]["Latitude"] | null;
      lon?: components["schemas"]["Longitude"] | null;
      tst?: components["schemas"]["UnixSeconds"] | null;
      /** The speed in kilometres an hour. */
      vel?: number | null;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_AdminCaseEntry: {
      data: components["schemas"]["AdminCaseEntry"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_AdminUser: {
      data: components["schemas"]["AdminUser"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_AuditEntry: {
      data: components["schemas"]["AuditEntry"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Call: {
      data: components["schemas"]["Call"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_CallbackForAdmin: {
      data: components["schemas"]["CallbackForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_CaseEntry: {
      data: components["schemas"]["CaseEntry"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_ChargebackForAdmin: {
      data: components["schemas"]["ChargebackForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Delivery: {
      data: components["schemas"]["Delivery"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_DeliveryForAdmin: {
      data: components["schemas"]["DeliveryForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_DispatchConfiguration: {
      data: components["schemas"]["DispatchConfiguration"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Dispute: {
      data: components["schemas"]["Dispute"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_DisputeForAdmin: {
      data: components["schemas"]["DisputeForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_FailedPush: {
      data: components["schemas"]["FailedPush"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_FleetDriver: {
      data: components["schemas"]["FleetDriver"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Grievance: {
      data: components["schemas"]["Grievance"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Invite: {
      data: components["schemas"]["Invite"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Job: {
      data: components["schemas"]["Job"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_JobForAdmin: {
      data: components["schemas"]["JobForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_ListedGrievance: {
      data: components["schemas"]["ListedGrievance"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_MechanicChange: {
      data: components["schemas"]["MechanicChange"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_MechanicForAdmin: {
      data: components["schemas"]["MechanicForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_MechanicRating: {
      data: components["schemas"]["MechanicRating"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_NoShowForAdmin: {
      data: components["schemas"]["NoShowForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Notification: {
      data: components["schemas"]["Notification"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Organisation: {
      data: components["schemas"]["Organisation"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_OrganisationMember: {
      data: components["schemas"]["OrganisationMember"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_ParkedPayment: {
      data: components["schemas"]["ParkedPayment"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_PartnerBill: {
      data: components["schemas"]["PartnerBill"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_PartnerBillForAdmin: {
      data: components["schemas"]["PartnerBillForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_PartnerContract: {
      data: components["schemas"]["PartnerContract"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_PartnerKey: {
      data: components["schemas"]["PartnerKey"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Payment: {
      data: components["schemas"]["Payment"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_PaymentForAdmin: {
      data: components["schemas"]["PaymentForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_PublishedNotice: {
      data: components["schemas"]["PublishedNotice"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_RatingForAdmin: {
      data: components["schemas"]["RatingForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_RefundForAdmin: {
      data: components["schemas"]["RefundForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Settlement: {
      data: components["schemas"]["Settlement"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_SettlementForAdmin: {
      data: components["schemas"]["SettlementForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_TowReview: {
      data: components["schemas"]["TowReview"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_UpiAccountForAdmin: {
      data: components["schemas"]["UpiAccountForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Vehicle: {
      data: components["schemas"]["Vehicle"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_WalletTransaction: {
      data: components["schemas"]["WalletTransaction"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_WebhookEvent: {
      data: components["schemas"]["WebhookEvent"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Withdrawal: {
      data: components["schemas"]["Withdrawal"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_WithdrawalForAdmin: {
      data: components["schemas"]["WithdrawalForAdmin"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** One page of a list: `{data, page, limit, total}`. */
    Page_Workshop: {
      data: components["schemas"]["Workshop"][];
      /** The number of items on a full page. */
      limit: number;
      /** The number of the page, from 1. */
      page: number;
      /** The number of items on all pages. */
      total: number;
    };
    /** The gateway's answer to the app at the checkout, which the app passes on to POST /payments/verify. */
    PaidOrder: {
      /** The order's id at the gateway. */
      gateway_order_id: string;
      /** The payment's id at the gateway. */
      gateway_payment_id: string;
      /** Hex HMAC-SHA256 of `{gateway_order_id}|{gateway_payment_id}` under the key's secret. */
      signature: string;
      status: components["schemas"]["PayOutcome"];
    };
    /** The place where a mechanic waits, with the phone in a pocket. */
    ParkedAt: {
      /** The mechanic's name for the place; null if they gave none. */
      label: string | null;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** Since when. */
      since: components["schemas"]["Timestamp"];
      /** When the waiting ends by itself. */
      until: components["schemas"]["Timestamp"];
    };
    /** Money at the gateway that fits no payment. */
    ParkedPayment: {
      amount: components["schemas"]["Money"];
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      /** The reason why the gateway could not give it back, when it was last asked. */
      failure: string | null;
      /** The order's id at the gateway. */
      gateway_order_id: string | null;
      /** The payment's id at the gateway. */
      gateway_payment_id: string;
      /** The id by which other operations name it. */
      id: string;
      /** The payment that it is about. */
      payment_id: string | null;
      reason: components["schemas"]["ParkReason"];
      /** When the service first heard of it. */
      seen_at: components["schemas"]["Timestamp"];
      settled_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["ParkedStatus"];
    };
    /**
     * The state of a parked payment: it waits for an admin, the gateway is refunding it or has refunded it, or an
     * admin dismissed it.
     */
    ParkedStatus: "open" | "refunding" | "refunded" | "dismissed";
    /** The reason why money at the gateway fits no payment. */
    ParkReason: "unknown_order" | "wrong_amount" | "wrong_currency" | "captured_twice";
    /** A partner's debt for a job that has ended. */
    PartnerBill: {
      /** The case that the job belongs to. */
      case_id: string;
      /** The partner's own name of the contract. */
      contract_reference: string;
      /** When the outcome was decided, soon after the end of the job. */
      decided_at: components["schemas"]["Timestamp"];
      /** The part that the helped person pays. */
      driver_pays: components["schemas"]["Money"];
      /** The job's id: a job has one bill at most. */
      id: string;
      /** The job that it is about. */
      job_id: string;
      outcome: components["schemas"]["OutcomeKind"];
      /** The partner's own reference of the case. */
      partner_reference: string;
      /** The part that the partner pays. A refund lowers it. */
      payable: components["schemas"]["Money"];
      /** The price of the job by the contract. */
      price: components["schemas"]["Money"];
      /** The number of the partner's order; null if the case has none. */
      purchase_order: string | null;
    };
    /** A bill with its organisation, and with the figures from which the outcome and the amount follow. */
    PartnerBillForAdmin: components["schemas"]["PartnerBill"] & {
      /** When it was accepted; null if it was not. */
      accepted_at: components["schemas"]["Timestamp"] | null;
      arrived_at: components["schemas"]["Timestamp"] | null;
      /** The amount that was booked on account for the mechanic's work. The platform bears or keeps the difference from the payable amount. */
      booked: components["schemas"]["Money"];
      /** When it ended; null before. */
      ended_at: components["schemas"]["Timestamp"];
      /** The organisation whose it is. */
      organisation_id: string;
      /** The name of the organisation that owes it. */
      organisation_name: string;
      promised_at: components["schemas"]["Timestamp"] | null;
    };
    /** A case with its jobs. It has all that its events show, and what only the partner and admins need. */
    PartnerCase: components["schemas"]["CaseSnapshot"] & {
      /** Answers to the questions of the category, by their keys. */
      answers: { [key: string]: unknown };
      closed_at: components["schemas"]["Timestamp"] | null;
      helped_person: components["schemas"]["HelpedPerson"] | null;
      /** Shown only to the organisation and to admins. */
      internal_notes: string | null;
      /** Shown to the mechanic. */
      notes_for_mechanic: string | null;
      /** The organisation whose it is. */
      organisation_id: string;
      place: components["schemas"]["CasePlace"] | null;
      /** The texts that the helped person gets. */
      texts: components["schemas"]["BeneficiaryText"][];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
    };
    /** A contract with an organisation. */
    PartnerContract: {
      /** Whether a proposed time of arrival counts as accepted at once. */
      accepts_promises: boolean;
      /** The decision that counts after that. */
      approval_default: components["schemas"]["ApprovalDefault"];
      /** The time in which the organisation decides about extra work. */
      approval_minutes: number;
      cover: components["schemas"]["Money"] | null;
      /** The longest way to a destination; null if there is no limit. */
      cover_km: number | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      ended_at: components["schemas"]["Timestamp"] | null;
      /** The id by which other operations name it. */
      id: string;
      /** The organisation whose it is. */
      organisation_id: string;
      /** The organisation's own name for the contract. */
      reference: string;
      /** Whether each case needs a purchase order. */
      requires_purchase_order: boolean;
      /** Whether the people who are helped, and their mechanic, see prices. */
      shows_prices: boolean;
      /** The kinds of help that are covered. */
      terms: components["schemas"]["ContractTerms"][];
      /** The texts that the person who is helped gets, unless a case says otherwise. */
      texts: components["schemas"]["BeneficiaryText"][];
      /** The first moment at which jobs may be ordered under it. */
      valid_from: components["schemas"]["Timestamp"];
      valid_until: components["schemas"]["Timestamp"] | null;
    };
    /** An event of a case. A webhook has the same without the id, which is in its header. */
    PartnerEvent: {
      data: components["schemas"]["PartnerEventContent"];
      /** The id of the event, which is the `webhook-id` of each of its deliveries. */
      id: string;
      /** When it happened. */
      timestamp: components["schemas"]["Timestamp"];
      type: components["schemas"]["PartnerEventKind"];
    };
    /** The contents of an event. */
    PartnerEventContent: {
      /** The case with all its jobs, as it was when the event was made. */
      case: components["schemas"]["CaseSnapshot"];
      item: components["schemas"]["LineItem"] | null;
      job: components["schemas"]["JobSnapshot"] | null;
      near: components["schemas"]["NearFigures"] | null;
      /** The reason that somebody gave for it. */
      reason: string | null;
      /** The number of the event within its case, from 1 without gaps. A subscription to some kinds sees some numbers. */
      seq: number;
    };
    /** The kind of an event that partners can get. */
    PartnerEventKind:
      | "case.created"
      | "case.offered"
      | "case.call_requested"
      | "case.accepted"
      | "case.refused"
      | "case.expired"
      | "case.withdrawn"
      | "case.closed"
      | "job.created"
      | "job.searching"
      | "job.no_mechanic_found"
      | "job.accepted"
      | "job.promise_proposed"
      | "job.promise_accepted"
      | "job.promise_refused"
      | "job.promise_extended"
      | "job.promise_missed"
      | "job.mechanic_left"
      | "job.corrected"
      | "job.en_route"
      | "job.near"
      | "job.arrived"
      | "job.started"
      | "job.loaded"
      | "job.approval_requested"
      | "job.approved"
      | "job.rejected"
      | "job.completed"
      | "job.paid"
      | "job.cancelled"
      | "job.outcome"
      | "job.position"
      | "webhook.verify"
      | "webhook.test";
    /** Events of a case, in order. */
    PartnerEvents: {
      data: components["schemas"]["PartnerEvent"][];
      /** The number of the case's last event; greater than the last of `data` if another page follows. */
      last_seq: number;
    };
    /** Extra work, with the time that the partner has to decide about it. */
    PartnerItem: components["schemas"]["LineItem"] & { decide_by: components["schemas"]["Timestamp"] | null };
    /** A job of a case, with the extra work that was proposed. */
    PartnerJob: components["schemas"]["JobSnapshot"] & {
      /** The case to which the job belongs. */
      case_id: string;
      /** The extra work, in the order in which it was proposed. */
      line_items: components["schemas"]["PartnerItem"][];
    };
    /** A key of a partner's program. */
    PartnerKey: {
      /** Other organisations for which the key may act. */
      acts_for: string[];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The person who made it; null if a program did. */
      created_by: string | null;
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The part of the key between its underscores, by which people recognise it. */
      handle: string;
      /** The id by which other operations name it. */
      id: string;
      last_used_at: components["schemas"]["Timestamp"] | null;
      /** The name, as people read it. */
      name: string;
      /** The organisation whose it is. */
      organisation_id: string;
      /** The key that replaces it; null if none does. */
      replaced_by: string | null;
      /** How many requests the key may make in a minute. */
      requests_per_minute: number;
      /** When it was revoked; null if it was not. */
      revoked_at: components["schemas"]["Timestamp"] | null;
      scopes: components["schemas"]["KeyScope"][];
      status: components["schemas"]["KeyStatus"];
    };
    /** A photo of a job's work or of its extra work. */
    PartnerPhoto: {
      /** When the photo was added; for extra work, when that was proposed. */
      created_at: components["schemas"]["Timestamp"];
      /** The end of the link. */
      expires_at: components["schemas"]["Timestamp"];
      /** The extra work whose reason the photo shows; null for all others. */
      line_item_id: string | null;
      stage: components["schemas"]["PhotoStage"] | null;
      /** A link that opens the photo for anyone who has it. Read the list again for another one. */
      url: string;
    };
    /**
     * How well the service served the cases that were made in a period. Shares are in percent of what they are shares of, and null
     * without any.
     */
    PartnerReport: {
      /** The jobs that a mechanic took, in percent of all. */
      acceptance_percent: number | null;
      /** Their average, 1 to 5; null without any. */
      average_rating: number | null;
      /** The jobs that somebody cancelled. */
      cancelled: number;
      /** The cases that were made in the period. */
      cases: number;
      /** The jobs that were completed. */
      completed: number;
      /** The jobs that were completed, in percent of all. */
      completion_percent: number | null;
      /** The promised times that were extended. */
      extended_promises: number;
      /** The beginning. */
      from: components["schemas"]["Timestamp"];
      /** Their jobs. */
      jobs: number;
      /** The mechanics who arrived by the promised time, extensions included. */
      kept_promises: number;
      /** The promised times that were kept, in percent of those that are over. */
      kept_promises_percent: number | null;
      /** The mechanics who arrived later, or not at all. */
      missed_promises: number;
      /** The jobs for which nobody was found. */
      no_mechanic_found: number;
      /** How many people rated their mechanic. */
      ratings: number;
      /** How long the stages took. */
      stages: components["schemas"]["StageTimes"];
      /** The first moment after the period. */
      to: components["schemas"]["Timestamp"];
    };
    /** A side of the job. */
    Party: "customer" | "mechanic";
    PasswordLogin: {
      code?: components["schemas"]["OtpText"] | null;
      deviceToken?: components["schemas"]["TokenText"] | null;
      email: components["schemas"]["Email"];
      password: components["schemas"]["PasswordText"];
    };
    /** A password as it was typed: 1 to 200 characters. Its debug print hides it. */
    PasswordText: string;
    /** The way in which a customer chooses to pay: at the gateway, or in cash to the mechanic. */
    PayBy: "online" | "cash";
    /** A payment. */
    Payment: {
      amount: components["schemas"]["Money"];
      captured_at: components["schemas"]["Timestamp"] | null;
      cash_confirmed_by_customer_at: components["schemas"]["Timestamp"] | null;
      cash_confirmed_by_mechanic_at: components["schemas"]["Timestamp"] | null;
      channel: components["schemas"]["Channel"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      /** The customer, by the id of their account. */
      customer_id: string;
      /** The payment whose order this payment paid a second time; this payment is refunded in full. */
      duplicate_of: string | null;
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"] | null;
      /** The reason why it failed, in the gateway's words. */
      failure: string | null;
      /** The cancelled jobs whose fees are paid. */
      fee_job_ids: string[];
      /** The gateway's name; null for cash. */
      gateway: string | null;
      /** The order's id at the gateway. */
      gateway_order_id: string | null;
      /** The payment's id at the gateway. */
      gateway_payment_id: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** Whether it may still be paid. */
      is_open: boolean;
      /** The job that is paid; null if the payment is for fees. */
      job_id: string | null;
      /** The customer's payment method, in the gateway's word. The set of words is open: gateways add some. */
      method: string | null;
      purpose: components["schemas"]["Purpose"];
      /** The amount that was refunded, or is being refunded. */
      refunded_amount: components["schemas"]["Money"];
      status: components["schemas"]["PaymentStatus"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
    };
    /** How customers pay. */
    PaymentConfig: {
      /** The script of the gateway's checkout; null in the sandbox, which has none, and without a gateway. */
      checkout_url: string | null;
      /** The public id that the checkout opens with. */
      key_id: string | null;
      /** The gateway by which customers pay online. */
      provider: components["schemas"]["PaymentProvider"];
    };
    /** A payment with its customer, as only admins see it. */
    PaymentForAdmin: components["schemas"]["Payment"] & components["schemas"]["CustomerContact"];
    /** @enum {string} */
    PaymentProvider: "sandbox" | "razorpay" | "none";
    /** A refund to a customer. */
    PaymentRefund: {
      amount: components["schemas"]["Money"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** The payment that it is about. */
      payment_id: string;
      /** Why, in the words of whoever decided it. */
      reason: string | null;
      /** When it was done with; null before. */
      settled_at: components["schemas"]["Timestamp"] | null;
      source: components["schemas"]["RefundSource"];
      status: components["schemas"]["PaymentRefundStatus"];
    };
    /** The progress of a refund. */
    PaymentRefundStatus: "pending" | "processed" | "failed";
    /** The progress of a payment. */
    PaymentStatus: "created" | "authorized" | "captured" | "partially_refunded" | "refunded" | "failed";
    PayOrder: { method?: components["schemas"]["Text1To30"] | null; outcome: components["schemas"]["PayOutcome"] };
    /** The outcome of an attempt to pay. */
    PayOutcome: "captured" | "authorized" | "failed";
    /** A change that a mechanic asks for. Until an admin decides, they serve the same as before. */
    PendingChange: {
      /** The id by which other operations name it. */
      id: string;
      /** When it was asked for. */
      requested_at: components["schemas"]["Timestamp"];
      /** The kinds of help. */
      service_category_ids: string[];
      vehicle_types: components["schemas"]["VehicleType"][];
    };
    /** Percentiles, in seconds (interpolated, as `percentile_cont` does). */
    Percentiles: {
      /** The median: half of the values are at most this. */
      p50: number;
      /** The 90th percentile. */
      p90: number;
      /** The 95th percentile. */
      p95: number;
      /** The 99th percentile. */
      p99: number;
    };
    /**
     * A telephone number, stored and returned in E.164: `+`, then at most 15 digits of which the first is not 0.
     *
     * It may be written with spaces, hyphens, dots, slashes and brackets, with the digits of any script, and without its
     * country if that is `phone.region`. It has no extension.
     */
    Phone: string;
    /** The number with which the caller signs in from now on. */
    PhoneChanged: {
      /** The device's token for the new number, as POST /auth/verify-otp gives it. */
      device_token: string;
      /** The phone number in E.164, such as +919876543210. */
      phone: string;
    };
    Photo: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** Where the file is, as other requests take it. It opens only by a link of its own. */
      file_url: string;
      /** The id by which other operations name it. */
      id: string;
      /** The stage of the work at which the photo was taken. */
      stage: components["schemas"]["PhotoStage"];
    };
    /** The stage of the work at which a photo was taken. */
    PhotoStage: "before" | "during" | "after";
    /** A place that has a name. */
    Place: {
      /** The whole address on one line, with the name, suitable for a `pickup_address`. */
      address: string;
      kind: components["schemas"]["PlaceKind"];
      /** The latitude; five decimal places are about a metre. */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The name, as people read it. */
      name: string;
    };
    /** How exact a position is, in metres. */
    PlaceAccuracy: number;
    /** The kind of a place. */
    PlaceKind: "house" | "street" | "area" | "town" | "region" | "landmark";
    /** The places that were found, best first. */
    PlaceList: {
      /** The owner of the data, to be shown with it; null if it need not be shown. */
      attribution: string | null;
      data: components["schemas"]["Place"][];
    };
    /** The state of a request for a place. */
    PlaceRequestStatus: "waiting" | "placed" | "used" | "expired";
    /** How places are searched for. */
    PlacesConfig: {
      /**
       * Whether the beginning of a name is enough, so that an app may search while somebody types; otherwise it waits until they
       * ask for the search.
       */
      as_you_type: boolean;
      /** The owner of the data, to be shown with it; null if it need not be shown. */
      attribution: string | null;
      /** The address to which the attribution links. */
      attribution_url: string | null;
    };
    /** The place where a mechanic waits for the next job. */
    PlaceToWait: {
      label?: components["schemas"]["Text1To80"] | null;
      lat: components["schemas"]["Latitude"];
      lng: components["schemas"]["Longitude"];
    };
    /** The platform that the app runs on. */
    Platform: "android" | "ios" | "web";
    /** A message of 1 to 100 points, in any order. */
    Points: { points: components["schemas"]["TrackPoint"][] };
    Position: {
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
    };
    /** The sender of the position that counts now, and its time. */
    PositionOrigin: {
      /** When it came in. */
      received_at: components["schemas"]["Timestamp"];
      sent_by: components["schemas"]["PositionSender"];
      /** The tracker, which may have been removed since; null for any other sender. */
      tracker_id: string | null;
    };
    /** The sender of a position. */
    PositionSender: "app" | "tracker" | "parked";
    PreferenceChanges: {
      /** Pushes about the account. */
      account?: boolean;
      /** What is counted or chosen of jobs. */
      jobs?: boolean;
      /** Receipts by mail. */
      mails?: boolean;
      /** Pushes about messages. */
      messages?: boolean;
      /** Pushes about offers. */
      offers?: boolean;
      /** Pushes about payments. */
      payments?: boolean;
      /** Text messages about jobs. */
      texts?: boolean;
      /** Pushes about the wallet. */
      wallet?: boolean;
    };
    /**
     * The topics that are pushed to the caller's devices, and whether text messages and mail are sent. Notifications of a topic that
     * is switched off are still listed, and sent on sockets.
     */
    Preferences: {
      /** The mechanic's registration. */
      account: boolean;
      /** The progress of a job, its line items, disputes and ratings. */
      jobs: boolean;
      /** Whether receipts are mailed to the address that the caller has confirmed. */
      mails: boolean;
      /** Chat and missed calls. */
      messages: boolean;
      /** Jobs offered to a mechanic. */
      offers: boolean;
      /** Payments and refunds. */
      payments: boolean;
      /** Whether text messages report a job's progress, while `jobs` is on and no app can be reached. */
      texts: boolean;
      /** UPI accounts and withdrawals. */
      wallet: boolean;
    };
    /** The target of the bytes: one request with this method and these headers to this URL, without a bearer token. */
    PresignedUpload: {
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /**
       * The value for `file_url`, `photo_urls`, `avatar_url` and `evidence_urls` once the upload is complete. It holds
       * no credentials: it opens for everyone who may see the file.
       */
      file_url: string;
      /** The headers with which the file has to be sent. */
      headers: { [key: string]: string };
      /** Always PUT. */
      method: string;
      /** The upload, for `POST /uploads/{id}/complete`. */
      upload_id: string;
      /** The address. */
      url: string;
    };
    /** A price: not negative. */
    Price: number;
    PricePart: {
      amount: components["schemas"]["Money"];
      /** The name, as people read it. */
      name: string;
    };
    /** How the price of a kind of help is agreed. */
    PricingRule: "quoted" | "agreed";
    /** The contact for people's questions about their data. */
    PrivacyContact: {
      /** The email address. */
      email: string;
      /** A person or a role. */
      name: string | null;
    };
    /** The operator's statement about people's data, in one language. */
    PrivacyNotice: {
      /** The language of the text: the requested one if there is a text in it, else English. */
      language: components["schemas"]["NoticeLanguage"];
      /** The other languages in which the notice can be read. */
      other_languages: components["schemas"]["NoticeLanguage"][];
      /** When it was published. */
      published_at: components["schemas"]["Timestamp"];
      /** Paragraphs with empty lines between them; lines that begin with `- ` are items of a list. */
      text: string;
      /** The number of the version; the newest has the highest. */
      version: number;
    };
    ProfileChanges: {
      /** The kinds of help. */
      service_category_ids?: string[];
      service_radius_km?: components["schemas"]["RadiusKm"];
      vehicle_types?: components["schemas"]["VehicleType"][];
    };
    /** The organisation's opinion about the promised time of arrival. */
    PromiseState: "none" | "proposed" | "accepted" | "refused";
    /** A version of the notice, as admins list it. `GET /privacy-notice` has its texts. */
    PublishedNotice: {
      /** Whether people who agreed to an earlier version are asked again. */
      ask_again: boolean;
      languages: components["schemas"]["NoticeLanguage"][];
      /** When it was published. */
      published_at: components["schemas"]["Timestamp"];
      /** The super-admin who published it. */
      published_by: string;
      /** The name of the super-admin who published it; null if they gave no name. */
      published_by_name: string | null;
      /** The number of the version; the newest has the highest. */
      version: number;
    };
    /** The purpose of a payment. */
    Purpose: "job" | "fees";
    /** The outcome of a test push to a device. */
    PushOutcome: "taken" | "unregistered" | "refused" | "not_now" | "not_sent";
    /** A device that the caller's notifications are pushed to. */
    PushToken: {
      app: components["schemas"]["App"] | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The device, as its app named it. */
      device_id: string;
      /** The id by which other operations name it. */
      id: string;
      /** Whether it is registered with the session that asks. */
      is_current: boolean;
      platform: components["schemas"]["Platform"];
      /** When the app last registered this token. */
      updated_at: components["schemas"]["Timestamp"];
    };
    /** The name of a question's answer: lower-case letters, digits and underscores, at most 40, a letter first. */
    QuestionKey: string;
    /**
     * The radius around the mechanic in kilometres, 1 to 100. It is rounded down to whole kilometres: 7.5 counts as 7, so that no
     * mechanic is sent further than they agreed to.
     */
    RadiusKm: number;
    /** The side of the job that rates; it rates the other side. */
    Rater: "customer" | "mechanic";
    /** A rating, as its writer and the rated person see it. */
    Rating: {
      /** What the rater wrote; null if nothing. */
      comment: string | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether an admin hid the rating: it then does not count, and nobody else sees it. */
      is_hidden: boolean;
      /** The job that it is about. */
      job_id: string;
      rater: components["schemas"]["Rater"];
      /** From 1, bad, to 5, good. */
      score: number;
      tags: components["schemas"]["RatingTag"][];
    };
    /** A rating as admins see it. */
    RatingForAdmin: components["schemas"]["CustomerContact"] &
      components["schemas"]["MechanicContact"] & {
        /** What the rater wrote; null if nothing. */
        comment: string | null;
        /** When it was made. */
        created_at: components["schemas"]["Timestamp"];
        /** The customer, by the id of their account. */
        customer_id: string;
        hidden_at: components["schemas"]["Timestamp"] | null;
        /** The admin who hid the rating. */
        hidden_by: string | null;
        hidden_reason: components["schemas"]["HiddenReason"] | null;
        /** The id by which other operations name it. */
        id: string;
        /** The job that it is about. */
        job_id: string;
        /** The mechanic, by the id of their profile. */
        mechanic_profile_id: string;
        rater: components["schemas"]["Rater"];
        /** From 1, bad, to 5, good. */
        score: number;
        tags: components["schemas"]["RatingTag"][];
      };
    /**
     * The subject of a rating, besides its score. `polite` and `rude` are for both sides, the tags before them rate mechanics,
     * those after them customers.
     */
    RatingTag:
      | "on_time"
      | "skilled"
      | "fair_price"
      | "explained_well"
      | "left_it_clean"
      | "late"
      | "unskilled"
      | "overcharged"
      | "unsafe"
      | "polite"
      | "rude"
      | "easy_to_find"
      | "patient"
      | "paid_promptly"
      | "hard_to_find"
      | "not_at_the_vehicle"
      | "unsafe_place"
      | "slow_to_pay";
    /** The last event that the caller has read. */
    ReadUpTo: {
      /** The number of the last message that was read. */
      up_to_seq: components["schemas"]["Whole1To9223372036854775807"];
    };
    /** Whether the server should get requests. */
    Ready: {
      /**
       * The result of each check (`database`, `writes`, `migrations`, `recovery`, `engine`, `leadership`, `draining`, `load`; in a
       * cluster also `bus` and `clock`): "ok" or the fault.
       */
      checks: { [key: string]: string };
      /** How far it has come. */
      status: components["schemas"]["ReadyStatus"];
    };
    /** @enum {string} */
    ReadyStatus: "ready" | "not_ready" | "standby";
    /** The format in which a receipt is shown. */
    ReceiptFormat: "html" | "pdf";
    Refresh: { refreshToken: components["schemas"]["TokenText"] };
    /** A new pair of tokens, and the facts that an app needs at its start. */
    Refreshed: components["schemas"]["SignedIn"] & {
      /** The mechanic's profile; null if the person is no mechanic. */
      mechanicProfileId: string | null;
    };
    /** A refund. */
    Refund: {
      amount: components["schemas"]["Money"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** Why it failed; null if it did not. */
      failure: string | null;
      /** The refund's id at the gateway; null before it has one, and for cash. */
      gateway_refund_id: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** The payment that it is about. */
      payment_id: string;
      /** Why, in the words of whoever decided it. */
      reason: string | null;
      /** When it was done with; null before. */
      settled_at: components["schemas"]["Timestamp"] | null;
      source: components["schemas"]["RefundSource"];
      status: components["schemas"]["ShownRefundStatus"];
    };
    /** A refund with the customer who is paid back, as only admins see it. */
    RefundForAdmin: components["schemas"]["Refund"] &
      components["schemas"]["CustomerContact"] & {
        /** The way in which the payment was made, and so is paid back. */
        channel: components["schemas"]["Channel"];
        /** The customer, by the id of their account. */
        customer_id: string;
        /** The job that the payment is for; null if it is for fees. */
        job_id: string | null;
      };
    /**
     * The origin of a refund: an admin, a resolved dispute, a capture beyond the amount due, somebody at the gateway,
     * or the customer's bank.
     */
    RefundSource: "admin" | "dispute" | "surplus" | "gateway" | "chargeback";
    /** Why a dispatcher refuses an offer. The club sees it. */
    RefuseOfferedCase: { reason: components["schemas"]["ClubRefusalReason"] };
    /** The reason for which a partner refuses the proposed time of arrival. */
    RefusePromise: {
      /** Why, in the words of whoever decided it. */
      reason: components["schemas"]["Text1To500"];
    };
    /** A registration that a mechanic submits for verification (contract 4.2). */
    Registration: {
      /** The documents, possibly none. */
      documents: components["schemas"]["NewDocument"][];
      /** The kinds of help. */
      service_category_ids: string[];
      service_radius_km?: components["schemas"]["RadiusKm"] | null;
      vehicle_types: components["schemas"]["VehicleType"][];
    };
    /**
     * A registration number in upper case without spaces and hyphens, so that it has only one form: 2 to 15 letters or
     * digits.
     */
    RegistrationNumber: string;
    RejectedPoint: {
      /** Why the point was not stored. Over a socket also `superseded`: newer points came faster than they could be processed, so send it again. */
      reason: "recorded_in_the_future" | "too_old" | "no_fix" | "superseded";
      /** The number, in order. */
      seq: number;
    };
    RejectUpiAccount: { reason?: components["schemas"]["Text3To500"] | null };
    Release: { reason_code: components["schemas"]["ReleaseReason"] };
    /** The reason why a mechanic gives a job back. */
    ReleaseReason: "vehicle_trouble" | "cannot_reach" | "missing_parts" | "wrong_skill" | "personal" | "other";
    /**
     * The outcome of a dispute, and the reason for it. `price_reduction` is given with a split only: the amount taken off
     * the price, which the customer gets back or need not pay; above zero and below the final price.
     */
    Resolve: {
      /** A remark to it; null if there is none. */
      note: components["schemas"]["Text1To2000"];
      outcome: components["schemas"]["DisputeOutcome"];
      price_reduction?: components["schemas"]["Money"] | null;
    };
    /**
     * A tow that no position shows at its destination, as its customer and its mechanic find it in the file with their
     * data.
     */
    ReviewedTow: {
      /** The price of the tow. */
      amount: components["schemas"]["Money"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      decided_at: components["schemas"]["Timestamp"] | null;
      /**
       * The distance from the destination to the mechanic's last plausible position at the delivery, in metres; null
       * without a position.
       */
      distance_m: number | null;
      /** The minimum distance that the mechanic drove with the vehicle, in metres; null if no position came on the way. */
      driven_m: number | null;
      /** The mechanic's share clears from this time on, decided or not. */
      held_until: components["schemas"]["Timestamp"];
      /** The job's id: a job has one tow at most. */
      id: string;
      /** The job that it is about. */
      job_id: string;
      /** The reason that the mechanic gave for the delivery. */
      reason: string;
      status: components["schemas"]["TowReviewStatus"];
    };
    /**
     * Rings around the pickup in km, 1 to 10 of them, each larger than the one before, up to 500 km: the bounds of
     * `dispatch.rings_km`.
     */
    Rings: number[];
    /** The roles of the contract. A mechanic is a customer with a profile. */
    Role: "customer" | "admin" | "super_admin";
    /** Shows when one more mechanic would have been worth most, by the recorded prices. */
    Roster: {
      /** The classes, beginning with the one in which one more mechanic would save most in a day; at most 64. */
      classes: components["schemas"]["RosterClass"][];
      /** The hours in which one more mechanic would save most, of all classes; at most 100. */
      dearest: components["schemas"]["DearHour"][];
      /** How often prices were recorded. It happens every five minutes while somebody is online and prices are on. */
      looks: number;
      /** The beginning of the recorded prices, if they are still kept (`dispatch.records_retention_days`). */
      since: components["schemas"]["Timestamp"];
      /** The zone of the hours, by its name in the IANA database. */
      time_zone: string;
    };
    /** A class over the day. */
    RosterClass: components["schemas"]["ServedSkills"] & {
      /** The conclusion in a sentence or two. */
      advice: string;
      /** The hours in order, without those in which no mechanic of the class was online. */
      hours: components["schemas"]["RosterHour"][];
      /** A rough place near its town. */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** Jobs that one more mechanic would save in a day, if they worked all 24 hours. */
      one_more_saves_per_day: number;
    };
    /** Averages of a class in an hour of the local day, over all days. */
    RosterHour: {
      /** The average number of calls per hour over the `samples`, like the fields below. */
      calls_per_hour: number;
      /** The hour of the local day at which this hour begins. */
      hour: number;
      /** The price: how many jobs are lost for each hour that one of the mechanics is away. */
      jobs_lost_per_hour: number;
      /** How many mechanics these calls keep busy. */
      load: number;
      /** How often prices were recorded in this hour, of any class. */
      looks: number;
      /** The average number of mechanics online, over all `looks`. */
      mechanics: number;
      /** How many jobs one more mechanic would save per hour. */
      one_more_saves_per_hour: number;
      /**
       * The number of recorded prices of the class. If they are fewer than `looks`, no mechanic of the class was online in the
       * others.
       */
      samples: number;
    };
    /** The hours for which the former secret signs as well. */
    RotateWebhookSecret: { overlap_hours?: components["schemas"]["Whole0To168"] | null };
    /** Rules that apps explain before the service applies them. */
    RulesConfig: {
      /** How long after its completion a job may be disputed. */
      dispute_window_s: number;
      max_withdrawal: components["schemas"]["Money"];
      /** The smallest and the largest amount of one withdrawal. */
      min_withdrawal: components["schemas"]["Money"];
      /** How long a mechanic waits after arriving before they may report that the customer is not there. */
      no_show_after_s: number;
    };
    RunSettlements: {
      /** The day after the last day, in local time, too. */
      period_end: components["schemas"]["Day"];
      /** The first day, in local time (`operator.time_zone`). */
      period_start: components["schemas"]["Day"];
    };
    SecondFactorCode: {
      /** The code that the authenticator app shows. */
      code: components["schemas"]["OtpText"];
      deviceToken?: components["schemas"]["TokenText"] | null;
      email: components["schemas"]["Email"];
      password: components["schemas"]["PasswordText"];
    };
    /** The owner of the second factor that is set up. */
    SecondFactorOwner: {
      deviceToken?: components["schemas"]["TokenText"] | null;
      email: components["schemas"]["Email"];
      password: components["schemas"]["PasswordText"];
    };
    SendOtp: { deviceToken?: components["schemas"]["TokenText"] | null; phone: components["schemas"]["Phone"] };
    /**
     * The recipient of an admin's link by SMS: the customer at their own number, or the beneficiary at the job's
     * `beneficiary_phone`.
     */
    SendShare: { send_to: components["schemas"]["LinkRecipient"] };
    /** The skills that the mechanics of a class have in common. */
    ServedSkills: {
      /** The categories and the number of vehicle types, in short; in full if two classes would read alike. */
      label: string;
      /** The kinds of help. */
      service_category_ids: string[];
      vehicle_types: components["schemas"]["VehicleType"][];
    };
    /** A kind of help. */
    ServiceCategory: {
      /** How long the search for a mechanic lasts. */
      attempt_ttl_s: number | null;
      base_price: components["schemas"]["Money"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** What people say about it, in their own words. */
      description: string;
      destination: components["schemas"]["DestinationRule"];
      /** The kilometres to the destination that are free. */
      destination_free_km: number;
      /** The price for each begun kilometre from the pickup to the destination beyond the free ones. */
      destination_per_km_price: components["schemas"]["Money"];
      /** How long such work usually takes, in minutes. */
      estimated_duration_min: number;
      /** How many kilometres of the way to the pickup cost nothing. */
      free_km: number;
      /** A picture of the kind of help; null if there is none. */
      icon_url: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** A mechanic who arrives within this time after the call is in time, in seconds. */
      in_time_s: number | null;
      /** Whether it is offered now. */
      is_active: boolean;
      /** How many rounds a search has at most. */
      max_rounds: number | null;
      /** The name, as people read it. */
      name: string;
      /** How long a mechanic may consider an offer. If this or one of the next seven is null, the service's setting applies. */
      offer_ttl_s: number | null;
      per_km_price: components["schemas"]["Money"];
      /** Radii around the pickup, tried one after the other. */
      rings_km: number[] | null;
      /** Simultaneous offers in round 1, 2, …; the last applies to every later round. */
      round_widths: number[] | null;
      /** A name for programs; it never changes. */
      slug: string;
      /** The place in lists: the lowest is first. */
      sort_order: number;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The round at which accident and highway jobs begin. */
      urgent_first_round: number | null;
      vehicle_types: components["schemas"]["VehicleType"][];
      /** The value of serving a job in time, in seconds of pickup time. */
      worth_s: number | null;
    };
    /** One sign-in on one device. */
    Session: {
      /** When the session began. */
      createdAt: components["schemas"]["Timestamp"];
      /** When the session ends if it is not used before. */
      expiresAt: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether this is the session of the request. */
      isCurrent: boolean;
      /** When the session was used last. */
      lastUsedAt: components["schemas"]["Timestamp"];
      /** The device's own name for itself; null if it gives none. */
      userAgent: string | null;
    };
    /** Another filter, for a limited time. */
    SetLogFilter: {
      /** The duration in seconds, at most an hour. */
      duration_s: number;
      /** Levels by target, as in `log.filter`. `debug` and `trace` are for roadcall's own targets. */
      filter: components["schemas"]["Text1To200"];
    };
    /** A mechanic's earnings in a period, added up once. */
    Settlement: {
      /** The part of the gross that the mechanic took in cash. */
      cash_collected: components["schemas"]["Money"];
      /** The commission on the gross, before refunds. */
      commission: components["schemas"]["Money"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The payments of customers, cash included. Of a job whose organisation hides its prices, the mechanic sees only their share. */
      gross: components["schemas"]["Money"];
      /** The id by which other operations name it. */
      id: string;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /**
       * The mechanic's shares of payments that were not refunded, less the cash that the mechanic has: the ledger's sum
       * of these earnings. Below zero if cash outweighs.
       */
      net: components["schemas"]["Money"];
      paid_at: components["schemas"]["Timestamp"] | null;
      /** The day after the last day, in the same time zone. */
      period_end: string;
      /**
       * The first day, in the local time (`operator.time_zone`) when the settlement was made. Release 0.1.0 settled days
       * in UTC.
       */
      period_start: string;
      /** The bank's reference of the transfer; null before it is paid. */
      reference: string | null;
      /** The part of the gross that was refunded before the settlement was made. */
      refunds: components["schemas"]["Money"];
      status: components["schemas"]["SettlementStatus"];
      /** The tax contained in the gross, before refunds. */
      tax: components["schemas"]["Money"];
    };
    /** A settlement with its mechanic, as only admins see it. */
    SettlementForAdmin: components["schemas"]["Settlement"] & components["schemas"]["MechanicContact"];
    /** Whether a settlement was paid. */
    SettlementStatus: "open" | "paid";
    /** The reason why an admin gives a parked payment back, or closes it. */
    SettleParkedPayment: {
      /** The reason, which is kept in the audit log. */
      reason: components["schemas"]["Text3To500"];
    };
    /** SHA-256 in hex, in either case. */
    Sha256Hex: string;
    /** A call as the guest of a link sees it. */
    SharedCall: {
      /** When it was answered; null if it was not. */
      answered_at: components["schemas"]["Timestamp"] | null;
      end_reason: components["schemas"]["EndReason"] | null;
      /** When it ended; null before. */
      ended_at: components["schemas"]["Timestamp"] | null;
      expires_at: components["schemas"]["Timestamp"] | null;
      /** The id by which other operations name it. */
      id: string;
      /** Whether the mechanic calls, not the guest. */
      is_incoming: boolean;
      /** When the call began to ring. */
      started_at: components["schemas"]["Timestamp"];
      status: components["schemas"]["CallStatus"];
    };
    /** The rough place to which the vehicle is towed. */
    SharedDestination: {
      /** The last part of the address, which names the town. */
      address: string;
      /** The workshop's name, if it is on the operator's list; else null. */
      workshop_name: string | null;
    };
    SharedEta: {
      /**
       * The time in seconds, in whole minutes, rounded up (a multiple of 60): exact seconds and the position together would reveal
       * how far away the customer is.
       */
      eta_s: number;
      source: components["schemas"]["EtaSource"];
    };
    /** The job as the holder of a link sees it: its progress, and where help is. */
    SharedJob: {
      call: components["schemas"]["SharedCall"] | null;
      /** The customer's first name; null if they gave none. */
      customer_first_name: string | null;
      destination: components["schemas"]["SharedDestination"] | null;
      eta: components["schemas"]["SharedEta"] | null;
      /** When the link ends, unless the job ends before. */
      expires_at: components["schemas"]["Timestamp"];
      /** Whether an admin gave the job to its mechanic, who has not set out yet: it is unknown whether they have seen it. */
      is_unconfirmed: boolean;
      loaded_at: components["schemas"]["Timestamp"] | null;
      /** Whether this link lets its holder write to the mechanic and call them. */
      may_contact: boolean;
      /** Whether the holder may rate the mechanic now (`POST /shares/{token}/rating`). */
      may_rate: boolean;
      /** The mechanic's first name; null while the job has no mechanic. */
      mechanic_first_name: string | null;
      mechanic_left: components["schemas"]["MechanicLeft"] | null;
      navigating_since: components["schemas"]["Timestamp"] | null;
      outlook: components["schemas"]["Outlook"] | null;
      own_part: components["schemas"]["SharedOwnPart"] | null;
      /** The organisation that ordered the help and pays for it; null for a customer's own job. */
      partner_name: string | null;
      position: components["schemas"]["SharedPosition"] | null;
      price: components["schemas"]["Money"] | null;
      /** The name of the kind of help. */
      service_category: string;
      /**
       * The code that the mechanic asks for before the work starts. Shown from acceptance until then if the customer allowed it
       * for this link; else null.
       */
      start_code: string | null;
      status: components["schemas"]["JobStatus"];
      /** When the job last changed. */
      updated_at: components["schemas"]["Timestamp"];
      /** Unless it is normal, people come before the vehicle: the number to call is `support.emergency_phone` of `GET /config`. */
      urgency: components["schemas"]["Urgency"];
      vehicle: components["schemas"]["SharedVehicle"];
    };
    /** A message as the guest of a link sees it. */
    SharedMessage: {
      /** The text; null where there is none, or none for the reader. */
      body: string | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether the message was written with this link. */
      is_own: boolean;
      /** Whether its sender deleted their account; its content is then gone. */
      is_removed: boolean;
      /** Degrees north (WGS 84). */
      lat: number | null;
      /** Degrees east (WGS 84). */
      lng: number | null;
      sender: components["schemas"]["ChatAuthor"];
      /** A guest's name; null for others. */
      sender_name: string | null;
      /** The message's number; messages are in this order. */
      seq: number;
      /** The kind of the message. A guest does not get an image itself, only its caption in `body`. */
      type: components["schemas"]["MessageType"];
    };
    /** A part of the chat with the mechanic who is on the job. */
    SharedMessages: {
      data: components["schemas"]["SharedMessage"][];
      /** Whether there are more: newer ones if `since_seq` was given, else older ones. */
      has_more: boolean;
      /** Whether there is a mechanic to write to. */
      is_writable: boolean;
    };
    /** The part of a job that the person for whom an organisation ordered help decides and pays themselves. */
    SharedOwnPart: {
      /** The amount that they pay to the mechanic in cash: the rest beyond the organisation's part, with the work that they approved. */
      amount: components["schemas"]["Money"];
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      /** Whether they have confirmed it; the mechanic confirms it, too. */
      is_confirmed: boolean;
      /** Whether the amount is due now, and `POST /shares/{token}/cash-confirm` can confirm that it was paid. */
      is_due: boolean;
      /** Extra work that the organisation does not pay and that they have to decide about. */
      line_items: components["schemas"]["LineItem"][];
    };
    /** A place that somebody has shared. */
    SharedPlace: {
      /** The accuracy that their phone reports; null if they placed the pin by hand. */
      accuracy_m: number | null;
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
    };
    /** The mechanic's last position, and its age. */
    SharedPosition: {
      /** How old the position is, in milliseconds. */
      age_ms: number;
      /** The direction of travel in degrees from north, clockwise; null if unknown. */
      heading: number | null;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** When the phone measured it. */
      recorded_at: components["schemas"]["Timestamp"];
      /** Whether it is too old to be shown as current. */
      stale: boolean;
    };
    /** The vehicle, without its plate. */
    SharedVehicle: {
      /** The vehicle's colour, in words. */
      color: string | null;
      /** Who made the vehicle; empty if nobody has said it. */
      make: string;
      /** The vehicle's model; empty if nobody has said it. */
      model: string;
      vehicle_type: components["schemas"]["VehicleType"];
    };
    /** A link as its maker sees it later, without its token. */
    ShareLink: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether the link still shows the job. */
      is_live: boolean;
      /** Whether the link's holder may write to the mechanic and call them. */
      may_contact: boolean;
      /** When it was revoked; null if it was not. */
      revoked_at: components["schemas"]["Timestamp"] | null;
      sent_at: components["schemas"]["Timestamp"] | null;
      /** Whether the link shows the start code. */
      shows_start_code: boolean;
    };
    /** The place where somebody is. */
    SharePlace: {
      accuracy_m?: components["schemas"]["PlaceAccuracy"] | null;
      lat: components["schemas"]["Latitude"];
      lng: components["schemas"]["Longitude"];
    };
    /** The recipient of a link. */
    ShareRecipient: "beneficiary";
    /** A line and its result. */
    SheetLine: {
      /** The driver; null if the line was refused, and in a list of vehicles. */
      driver_id: string | null;
      /** The fault of the line; null for a line without faults. */
      fault: string | null;
      /** The number of the line as an editor shows it. */
      line: number;
      result: components["schemas"]["SheetLineResult"];
      /** The vehicle; null if the line was refused, and in a list of drivers. */
      vehicle_id: string | null;
    };
    /** The result of a line. */
    SheetLineResult: "added" | "known" | "refused";
    /** The progress of a refund. */
    ShownRefundStatus: "pending" | "processed" | "failed";
    /** The outcome of a signal. */
    Signalled: {
      /** The call whose other side got the signal. */
      call_id: string;
      /** Whether a socket of the other side took it. If not, because none was open or had room, send it again. */
      delivered: boolean;
    };
    /** A new pair of tokens, and the account that they belong to. */
    SignedIn: {
      /** The token for the header `Authorization: Bearer`. */
      accessToken: string;
      /** Seconds for which the access token is valid. */
      expiresIn: number;
      /** The refresh token; absent with `X-Session: cookie`. */
      refreshToken?: string;
      role: components["schemas"]["Role"];
      /** The account that signed in. */
      userId: string;
    };
    /** The page on which a sign-in continues. */
    SignInBegun: {
      /** The provider's page, to be opened in this browser. It sends people back to `/console/sign-in`. */
      authorizationUrl: string;
      /** Seconds within which they have to be back. */
      expiresIn: number;
    };
    /** The tokens of a new session. */
    SignInCompleted: components["schemas"]["SignedIn"] & {
      /** The page on which people sign out at the provider, too; null if it has none. */
      signOutUrl: string | null;
    };
    /** How fast help came in a period. */
    Sla: {
      /** Categories with a job in the period, by name. */
      by_category: components["schemas"]["CategorySla"][];
      /** The first day. */
      from: string;
      /** The zone of the days, by its name in the IANA database. */
      time_zone: string;
      /** The last day, included. */
      to: string;
      total: components["schemas"]["SlaFigures"];
    };
    /** How fast help came. Times count from the beginning of the search: when the job was made, or the scheduled time less the lead. */
    SlaFigures: {
      /** Jobs of these at which a mechanic arrived. */
      arrived: number;
      /** The share of the jobs with an arrival whose mechanic arrived within 30 minutes, 0 to 1; null if there was no arrival. */
      arrived_within_30_min: number | null;
      /** Jobs of these that a mechanic took. */
      assigned: number;
      /** The share of the assigned jobs that had their first mechanic within 60 seconds, 0 to 1; null if no job was assigned. */
      assigned_within_60_s: number | null;
      /** Jobs whose search began in the period. */
      jobs: number;
      time_to_arrive_s: components["schemas"]["Percentiles"] | null;
      time_to_assign_s: components["schemas"]["Percentiles"] | null;
    };
    /** A name for URLs: lower-case letters and digits in words joined by single hyphens, 1 to 60 characters. */
    Slug: string;
    /** The outcome of a test message. */
    SmsOutcome: "taken" | "refused" | "unknown" | "not_sent";
    /** The provider's answer to a test message. */
    SmsTest: {
      outcome: components["schemas"]["SmsOutcome"];
      /** The status and the number of the provider's error, never its words; null if it took the message. */
      reason: string | null;
    };
    /** The outcome of a job and the parts of its price. */
    SnapshotBill: {
      /** The part that the person who was helped pays. */
      driver_pays: components["schemas"]["Money"];
      /** The outcome by the contract: completed, gone_on_arrival, unsuccessful and so on. */
      outcome: string;
      /** The part that the partner pays. */
      payable: components["schemas"]["Money"];
      /** The price of the job. */
      price: components["schemas"]["Money"];
    };
    /** The mechanic, as a partner knows them. */
    SnapshotMechanic: {
      /** The first word of the person's name; null if they gave none. */
      first_name: string | null;
    };
    /** A place of a job. */
    SnapshotPlace: {
      /** The address in words. */
      address: string;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
    };
    /** The time of arrival that the partner knows. */
    SnapshotPromise: {
      at: components["schemas"]["Timestamp"] | null;
      extended_at: components["schemas"]["Timestamp"] | null;
      /** Why it was extended. */
      extension_reason: string | null;
      missed_at: components["schemas"]["Timestamp"] | null;
      state: components["schemas"]["PromiseState"];
    };
    /** The speed over ground in metres a second; -1 if unknown. */
    SpeedMps: number;
    /** How long the stages of jobs took on average, in seconds; null without a job that went through the stage. */
    StageTimes: {
      /** From the order until a mechanic had the job. */
      acceptance_s: number | null;
      /** From then until the mechanic arrived. */
      arrival_s: number | null;
      /** From the arrival until the work began. */
      start_s: number | null;
      /** From then until it was completed. */
      work_s: number | null;
    };
    StartWork: { start_code?: components["schemas"]["Text1To10"] | null };
    /** The figures of a period, in all, by day and by category. */
    Stats: {
      /** Categories in which something happened, by name. */
      by_category: components["schemas"]["CategoryFigures"][];
      /** Every day of the period, in order. */
      by_day: components["schemas"]["DayFigures"][];
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      /** The first day. */
      from: string;
      /** The zone of the days, by its name in the IANA database. */
      time_zone: string;
      /** The last day, included. */
      to: string;
      total: components["schemas"]["Figures"];
    };
    /** A mechanic's earnings in one step of a period. */
    StatsStep: {
      /** The mechanic's shares of what was paid in the step, fees included, as in the figures of the whole period. */
      earnings: components["schemas"]["Money"];
      /** The beginning. */
      from: components["schemas"]["Timestamp"];
      /** The number of jobs that were paid in the step, without cancelled jobs that owed a fee. */
      jobs: number;
    };
    /** The state of the service, line by line, as the server that answers sees it. */
    Status: {
      /** When the state was checked; an answer may be some seconds old. */
      at: components["schemas"]["Timestamp"];
      lines: components["schemas"]["StatusLine"][];
      /** The worst state of the lines. */
      state: components["schemas"]["StatusState"];
    };
    /** The state of one subject. */
    StatusLine: {
      about: components["schemas"]["StatusSubject"];
      /** The next thing to do; null where there is none. */
      next: string | null;
      /** The section of docs/RUNBOOK.md that says more; null where there is none. */
      runbook: string | null;
      state: components["schemas"]["StatusState"];
      /** The state in words, in English like the console. */
      text: string;
    };
    /** ok: nothing to do. look: something is wrong, but people don't feel it yet. act: people feel it, or soon will. */
    StatusState: "ok" | "look" | "act";
    /** The subject of a line of the status. */
    StatusSubject:
      | "requests"
      | "database"
      | "disk"
      | "backup"
      | "backup_test"
      | "servers"
      | "engine"
      | "clock"
      | "versions"
      | "new_jobs"
      | "webhooks"
      | "payouts"
      | "money"
      | "grievances"
      | "notifications"
      | "pushes"
      | "text_messages"
      | "mails"
      | "recorder"
      | "router"
      | "places";
    /** Changes of a subscription. Fields that are left out stay as they are. */
    SubscriptionPatch: {
      eta_below_min?: components["schemas"]["Whole1To120"] | null;
      /** The kinds of events; all if it is empty. */
      events?: components["schemas"]["PartnerEventKind"][];
      /** Pauses the subscription, or lets it go on. */
      is_paused?: boolean;
      positions_every_s?: components["schemas"]["Whole5To3600"] | null;
      /** Another address, which has to be verified anew. */
      url?: components["schemas"]["Text1To2000"];
      within_m?: components["schemas"]["Whole50To50000"] | null;
    };
    /** A subscription with its new secret, which is shown only here. */
    SubscriptionSecret: components["schemas"]["WebhookSubscription"] & {
      /** The key of the signatures of its webhooks. */
      secret: string;
    };
    /** Whether a subscription gets events. */
    SubscriptionStatus: "unverified" | "active" | "paused" | "deleted";
    /** `{success: true, data}`, contract 2.1. */
    Success_OtpSent: {
      data: components["schemas"]["OtpSent"];
      /** Always true. */
      success: boolean;
    };
    /** `{success: true, data}`, contract 2.1. */
    Success_Refreshed: {
      data: components["schemas"]["Refreshed"];
      /** Always true. */
      success: boolean;
    };
    /** `{success: true, data}`, contract 2.1. */
    Success_Sessions: {
      data: components["schemas"]["Session"][];
      /** Always true. */
      success: boolean;
    };
    /** `{success: true, data}`, contract 2.1. */
    Success_SignedIn: {
      data: components["schemas"]["SignedIn"];
      /** Always true. */
      success: boolean;
    };
    /** `{success: true, data}`, contract 2.1. */
    Success_SignInBegun: {
      data: components["schemas"]["SignInBegun"];
      /** Always true. */
      success: boolean;
    };
    /** `{success: true, data}`, contract 2.1. */
    Success_SignInCompleted: {
      data: components["schemas"]["SignInCompleted"];
      /** Always true. */
      success: boolean;
    };
    /** `{success: true, data}`, contract 2.1. */
    Success_Verified: {
      data: components["schemas"]["Verified"];
      /** Always true. */
      success: boolean;
    };
    /** The operator's contacts for customers and mechanics; each is null if there is none. */
    SupportConfig: {
      /** The email address. */
      email: string | null;
      /** The number to call first when people are in danger: digits, perhaps after a `+`, for a `tel:` link. */
      emergency_phone: string;
      /** The number in E.164. */
      phone: string | null;
    };
    /** The calls and mechanics to expect within 3 km. */
    Surroundings: {
      /** The calls per hour that this mechanic can serve, to a tenth. */
      calls_per_hour: number;
      /** The number of other free mechanics who serve some of these calls. */
      free_mechanics: number;
    };
    SuspendUser: {
      /** The reason is stored with the account and in the audit log. */
      reason: components["schemas"]["Text1To500"];
    };
    /** All hours of a kind. Calls in the first 10 minutes of an hour are left out, since they still depend on the hour before. */
    SwitchbackArm: {
      /** Calls for help in these hours. */
      calls: number;
      /** The number of such hours. */
      hours: number;
      /** How many of 100 calls were served in time; null without calls, like the others. */
      in_time_percent: number | null;
      /** How many of 100 calls were served. */
      served_percent: number | null;
      /** How many of 100 calls found nobody. */
      unserved_percent: number | null;
    };
    /** A difference in percentage points, to a tenth, with its 95 % confidence interval. */
    SwitchbackDifference: {
      /** The beginning. */
      from: number;
      /** The difference, in percentage points. */
      points: number;
      /** The end of the confidence interval. */
      to: number;
    };
    /** The effect of prices of mechanics' time: hours with prices and hours without, as the setting `price_switchback` drew them. */
    SwitchbackReport: {
      in_time: components["schemas"]["SwitchbackDifference"] | null;
      /** Whether prices are switched by the hour now. */
      is_on: boolean;
      served: components["schemas"]["SwitchbackDifference"] | null;
      /** The beginning of the compared time. Only whole hours count in which prices were switched all along. */
      since: components["schemas"]["Timestamp"];
      unserved: components["schemas"]["SwitchbackDifference"] | null;
      /** The end of the compared time. */
      until: components["schemas"]["Timestamp"];
      with_prices: components["schemas"]["SwitchbackArm"];
      without_prices: components["schemas"]["SwitchbackArm"];
    };
    /** A change of the leading server. */
    TakeOver: {
      /** When the server began to lead. */
      led_at: components["schemas"]["Timestamp"];
      ready_at: components["schemas"]["Timestamp"] | null;
      /** The version of the program that runs there. */
      release: string;
      /** The server that began to lead. */
      server: string;
      /** The number of the take-over on this database. */
      term: number;
    };
    /** A device of the caller, and the outcome of a test push to it. */
    TestedDevice: {
      app: components["schemas"]["App"] | null;
      /** The id by which other operations name it. */
      id: string;
      outcome: components["schemas"]["PushOutcome"];
      platform: components["schemas"]["Platform"];
      /** The reason, in our own words; null if there is none. */
      reason: string | null;
    };
    Text0To1000: string;
    Text1To10: string;
    Text1To30: string;
    Text1To40: string;
    Text1To60: string;
    Text1To64: string;
    Text1To80: string;
    Text1To100: string;
    Text1To120: string;
    Text1To200: string;
    Text1To300: string;
    Text1To500: string;
    Text1To1000: string;
    Text1To2000: string;
    Text1To4000: string;
    Text1To6000: string;
    Text1To60000: string;
    Text2To100: string;
    Text2To1000: string;
    Text3To200: string;
    Text3To300: string;
    Text3To500: string;
    /** A ticket that opens one socket. */
    Ticket: {
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The ticket for `GET /ws?ticket=…`; it works once. */
      ticket: string;
    };
    /** An event of a job, as every participant may see it. */
    TimelineEntry: {
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      by: components["schemas"]["ActorKind"];
      /**
       * The event's details, e.g. why an arrival was overridden, or the `concern` behind a delay and since when there has been a
       * reason for it.
       */
      data: Record<string, never>;
      event: components["schemas"]["TimelineEvent"];
      /** The number, in order. */
      seq: number;
      /** The job's status after the event. */
      status: components["schemas"]["JobStatus"];
    };
    /** What happened to a job. */
    TimelineEvent:
      | "created"
      | "dispatching"
      | "accepted"
      | "no_mechanic_found"
      | "retried"
      | "en_route"
      | "navigating"
      | "back_in_app"
      | "delayed"
      | "recovered"
      | "arrived"
      | "in_progress"
      | "loaded"
      | "completed"
      | "released"
      | "cancelled"
      | "no_show_contested"
      | "no_show_decided"
      | "corrected"
      | "line_item_proposed"
      | "line_item_amended"
      | "line_item_withdrawn"
      | "line_item_approved"
      | "line_item_rejected"
      | "payment"
      | "call"
      | "paid"
      | "disputed"
      | "resolved";
    Timestamp: string;
    /** A token as text, 1 to 8192 bytes. Its debug print hides it. */
    TokenText: string;
    /** The mechanics of a town. No mechanic counts in two towns. */
    TownPrices: {
      /** The classes, the most expensive first; at most 16. */
      classes: components["schemas"]["ClassPrice"][];
      /** A rough place near the town: the middle of a square of about 22 km in which one of its mechanics is. */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
    };
    /** A tow that no position shows at its destination, as admins see it. */
    TowReview: components["schemas"]["CustomerContact"] &
      components["schemas"]["MechanicContact"] & {
        /** The price of the tow. */
        amount: components["schemas"]["Money"];
        /** When it was made. */
        created_at: components["schemas"]["Timestamp"];
        /** The customer, by the id of their account. */
        customer_id: string;
        decided_at: components["schemas"]["Timestamp"] | null;
        /**
         * The distance from the destination to the mechanic's last plausible position at the delivery, in metres; null
         * without a position.
         */
        distance_m: number | null;
        /** The minimum distance that the mechanic drove with the vehicle, in metres; null if no position came on the way. */
        driven_m: number | null;
        /** The mechanic's share clears from this time on, decided or not. */
        held_until: components["schemas"]["Timestamp"];
        /** The job's id: a job has one tow at most. */
        id: string;
        /** The job that it is about. */
        job_id: string;
        /** The mechanic, by the id of their profile. */
        mechanic_profile_id: string;
        /** A remark to it; null if there is none. */
        note: string | null;
        /** The distance to the destination when it was agreed, in metres. */
        quoted_m: number | null;
        /** The reason that the mechanic gave for the delivery. */
        reason: string;
        status: components["schemas"]["TowReviewStatus"];
      };
    /** The status of a review: open, or ended by releasing the mechanic's share or by taking the tow off the price. */
    TowReviewStatus: "open" | "released" | "reduced";
    /** The coordinates. Unknown values are negative. */
    TraccarCoordinates: {
      /** The accuracy in metres. */
      accuracy?: number | null;
      /** The direction in degrees clockwise from north. */
      heading?: number | null;
      latitude: components["schemas"]["Latitude"];
      longitude: components["schemas"]["Longitude"];
      /** The speed in metres a second. */
      speed?: number | null;
    };
    TraccarLocation: {
      coords: components["schemas"]["TraccarCoordinates"];
      /** Whether the phone reports that the position is simulated. */
      mock?: boolean | null;
      /** When the phone measured the position. */
      timestamp: components["schemas"]["Timestamp"];
    };
    /** A message of Traccar Client. Other fields are not read. */
    TraccarMessage: {
      /** The tracker's token. */
      device_id?: string | null;
      location?: components["schemas"]["TraccarLocation"] | null;
    };
    /** An app that sends the mechanic's positions with the screen off. */
    Tracker: {
      app: components["schemas"]["TrackerApp"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      last_seen_at: components["schemas"]["Timestamp"] | null;
      /** The name, as people read it. */
      name: string;
      problem: components["schemas"]["TrackerProblem"] | null;
    };
    /** An app that sends positions with the screen off. */
    TrackerApp: "owntracks" | "traccar";
    /** Why a message of a tracker can't be used, however often it is sent. */
    TrackerFault: "unreadable" | "encrypted" | "invalid" | "clock_ahead" | "too_old" | "no_fix";
    /** Why the newest message of a tracker could not be used. */
    TrackerProblem: {
      /** When such a message last arrived, to within half a minute. */
      at: components["schemas"]["Timestamp"];
      /** The details, in English. */
      detail: string;
      fault: components["schemas"]["TrackerFault"];
    };
    /**
     * The outcome of a tracker's message. An app repeats a refused message, so an unusable one is taken, too, and shown to the
     * mechanic.
     */
    TrackerReceipt: {
      /** The number of positions that are stored now. */
      accepted: number;
      /** The number of positions that were stored before. */
      duplicates: number;
      fault: components["schemas"]["TrackerFault"] | null;
    };
    /** The caller's trackers, in the order in which they were connected, and the origin of the position that counts. */
    Trackers: {
      data: components["schemas"]["Tracker"][];
      last_position: components["schemas"]["PositionOrigin"] | null;
    };
    /** A new tracker. Its token is shown only here: it can send this mechanic's positions, and do nothing else. */
    TrackerToken: {
      app: components["schemas"]["TrackerApp"];
      /** The address to which the app sends positions. */
      endpoint: string;
      /** The id by which other operations name it. */
      id: string;
      /** The name, as people read it. */
      name: string;
      /** A link that sets the app up when it is opened on the phone, or read by the app as a QR code. It contains the token. */
      setup_url: string;
      /** A secret that admits whoever holds it. */
      token: string;
    };
    /** A position as the phone recorded it. */
    TrackPoint: {
      accuracy_m?: components["schemas"]["AccuracyM"] | null;
      heading?: components["schemas"]["Heading"] | null;
      /** Whether the phone says that the position is simulated. */
      is_mock?: boolean | null;
      lat: components["schemas"]["Latitude"];
      lng: components["schemas"]["Longitude"];
      /** The time by the phone's clock, which may be wrong: the service corrects its skew. */
      recorded_at: components["schemas"]["Timestamp"];
      /** The phone's own count, 64-bit; together with `recorded_at` it distinguishes a resent point from a new one. */
      seq: number;
      speed_mps?: components["schemas"]["SpeedMps"] | null;
    };
    /** A trail: a Feature of RFC 7946 with a line of at least two points, or without a line. */
    Trail: {
      geometry: components["schemas"]["Line"] | null;
      /** What is known of the line, as GeoJSON has it. */
      properties: components["schemas"]["TrailProperties"];
      /** Always Feature. */
      type: string;
    };
    TrailProperties: {
      /** Whether points in between were left out, evenly, to stay within the limit. The first and the last are always shown. */
      is_thinned: boolean;
      /** The job that it is about. */
      job_id: string;
      /** The mechanic of the trail; null while the job has no mechanic. */
      mechanic_profile_id: string | null;
      /** The maximum number of points that are shown. */
      points_limit: number;
      /** The number of all stored points, shown or not. */
      points_recorded: number;
      /** When the mechanic was at each of the coordinates, corrected for the phone's clock. */
      times: components["schemas"]["Timestamp"][];
    };
    /** An amount above zero. */
    UnitPrice: number;
    /** A time in seconds since 1970; a fraction is not needed. */
    UnixSeconds: number;
    /** A fee that the caller owes (contract 2.6). */
    UnpaidFee: {
      cancellation_fee: components["schemas"]["Money"];
      /** When it was cancelled; null if it was not. */
      cancelled_at: components["schemas"]["Timestamp"];
      /** The job that it is about. */
      job_id: string;
    };
    /** The number of the caller's unread notifications. */
    UnreadCount: {
      /** The number of unread notifications. */
      unread_count: number;
    };
    /** Changes of the own account. Absent fields do not change; null empties a field, except the language. */
    UpdateMe: {
      avatar_url?: components["schemas"]["FileUrl"] | null;
      email?: components["schemas"]["Email"] | null;
      language?: components["schemas"]["Language"];
      /** The name, as people read it. */
      name?: components["schemas"]["NameOf100"] | null;
    };
    /** A UPI account of a mechanic. */
    UpiAccount: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The name at the bank; null before it is known. */
      holder_name: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** Whether the account is used when a withdrawal names none. The first verified account becomes the default. */
      is_default: boolean;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /**
       * The name to which the address is registered. Null unless it matches the verified name, so that nobody can look
       * up other people's names.
       */
      name_at_bank: string | null;
      /** How well the name at the bank matches the verified name, 0 to 100; null until the bank has answered. */
      name_match_score: number | null;
      /** Why it was rejected, in the admin's words; null if it was not. */
      rejection_reason: string | null;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The time before which nothing can be withdrawn to the account. */
      usable_from: components["schemas"]["Timestamp"];
      verification_status: components["schemas"]["VerificationStatus"];
      /** The address, in lower case. */
      vpa: string;
    };
    /** A UPI account of a mechanic, with the names to compare, for admins. */
    UpiAccountForAdmin: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The owner of the address, according to the mechanic. */
      holder_name: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** Whether it is used where none is named. */
      is_default: boolean;
      /** The name that the mechanic uses. */
      mechanic_name: string | null;
      /** The mechanic, by the id of their profile. */
      mechanic_profile_id: string;
      /** The name to which the address is registered; null until the bank has answered. */
      name_at_bank: string | null;
      /** How well the name at the bank matches the verified name, 0 to 100. */
      name_match_score: number | null;
      /** Why it was rejected, in the admin's words; null if it was not. */
      rejection_reason: string | null;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The time before which nothing can be withdrawn to the account. */
      usable_from: components["schemas"]["Timestamp"];
      verification_status: components["schemas"]["VerificationStatus"];
      /** The name that an admin verified with the documents. The name at the bank is compared with it. */
      verified_name: string | null;
      /** The address, in lower case. */
      vpa: string;
    };
    /** An uploaded file, or one that is announced. */
    Upload: {
      /** When it was completed; null before. */
      completed_at: components["schemas"]["Timestamp"] | null;
      content_type: components["schemas"]["FileKind"];
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** Where the file is, as other requests take it. It opens only by a link of its own. */
      file_url: string;
      /** The id by which other operations name it. */
      id: string;
      purpose: components["schemas"]["UploadPurpose"];
      /** The size of the file in bytes. */
      size_bytes: number;
      status: components["schemas"]["UploadStatus"];
    };
    /** A link that opens a file for anyone who has it, for a short time. */
    UploadLink: {
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** The address. */
      url: string;
    };
    /** The purpose of a file, which decides who may see it. */
    UploadPurpose: "job_photo" | "document" | "avatar" | "chat" | "evidence";
    /** The progress of an upload. */
    UploadStatus: "pending" | "complete";
    /** Accident and highway jobs are offered to several mechanics from the start. */
    Urgency: "normal" | "highway" | "accident";
    /**
     * The user object of contract 2.4. Every field is always present, and null if empty: an admin has no phone, a new
     * customer no name.
     */
    User: {
      /** The person's picture; null if they have none. */
      avatar_url: string | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The email address. */
      email: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** The name, as people read it. */
      name: string | null;
      /** The phone number in E.164, such as +919876543210. */
      phone: string | null;
      role: components["schemas"]["Role"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
    };
    /** Whether an account may be used. */
    UserStatus: "active" | "suspended" | "deleted";
    /** A vehicle of the caller. */
    Vehicle: {
      /** The vehicle's colour, in words. */
      color: string | null;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The vehicle's fuel in words; null if unknown. */
      fuel_type: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** Whether it is used where none is named. */
      is_default: boolean;
      /** The maker of the vehicle; empty if nobody has named it. */
      make: string;
      /** The vehicle's model; empty if nobody has named it. */
      model: string;
      /** Upper case, without spaces and hyphens. */
      registration_number: string;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The account of the person whose it is. */
      user_id: string;
      vehicle_type: components["schemas"]["VehicleType"];
      /** The year in which the vehicle was made. */
      year: number | null;
    };
    VehicleChanges: {
      /** The vehicle's colour, in words. */
      color?: components["schemas"]["Text1To30"] | null;
      fuel_type?: components["schemas"]["FuelType"] | null;
      /**
       * Whether the vehicle is the default. `true` replaces the present default; `false` is refused for the default, since there
       * is always one.
       */
      is_default?: boolean;
      /** Who made the vehicle. */
      make?: components["schemas"]["Text1To60"];
      /** The vehicle's model. */
      model?: components["schemas"]["Text1To60"];
      registration_number?: components["schemas"]["RegistrationNumber"];
      vehicle_type?: components["schemas"]["VehicleType"];
      /** The year in which the vehicle was made. */
      year?: components["schemas"]["Whole1900To2200"] | null;
    };
    /** A list of vehicles. */
    VehicleSheet: {
      /**
       * A CSV whose first line names its columns, in any order: vehicle_type and registration_number, and if wanted make, model,
       * year, fuel_type and color. At most 500 vehicles.
       */
      csv: components["schemas"]["Text1To60000"];
    };
    /** A type of vehicle. */
    VehicleType: "two_wheeler" | "three_wheeler" | "four_wheeler" | "commercial";
    /** The progress of a UPI account's verification. */
    VerificationStatus: "pending" | "verified" | "name_mismatch" | "invalid" | "manually_approved" | "rejected";
    /** The tokens of a new session, and the facts that an app needs at the first sign-in of a device. */
    Verified: components["schemas"]["SignedIn"] & {
      /** The token for the next sign-in on this device with this number. It signs nobody in; keep it when signing out. */
      deviceToken: string;
      /** Whether the account was made just now. */
      isNewUser: boolean;
      /** The mechanic's profile; null if the person is no mechanic. */
      mechanicProfileId: string | null;
    };
    /** The data that the gateway's checkout handed to the customer's app. */
    Verify: {
      /** The order's id at the gateway. */
      gateway_order_id: components["schemas"]["Text1To100"];
      /** The payment's id at the gateway. */
      gateway_payment_id: components["schemas"]["Text1To100"];
      /** Hex HMAC-SHA256 of `{order}|{payment}` under the gateway's key secret. */
      signature: components["schemas"]["Text1To200"];
    };
    VerifyOtp: {
      deviceToken?: components["schemas"]["TokenText"] | null;
      name?: components["schemas"]["NameOf100"] | null;
      otp: components["schemas"]["OtpText"];
      phone: components["schemas"]["Phone"];
    };
    /** A vehicle identification number: 17 capital letters and digits without I, O and Q. Small letters become capital ones. */
    Vin: string;
    /**
     * A UPI address (VPA), stored in lower case so that each address has one form: 2 to 256 letters, digits, dots,
     * underscores or hyphens, `@`, then a handle of 2 to 64 letters or digits.
     */
    Vpa: string;
    /** The numbers of things that wait for a provider or for an admin. */
    Waiting: {
      /** Customers who asked to be called. */
      callbacks: number;
      /** Refunds that have to be paid by hand. */
      cash_refunds: number;
      /** Payments that a customer's bank wants back, still to be contested at the gateway. */
      chargebacks: number;
      /** Webhooks that failed for good and wait for a replay. */
      dead_webhooks: number;
      /** Disputes that wait for a decision. */
      disputes: number;
      /** Refunds that failed at the gateway, where nothing of the payment has been given back since. */
      failed_refunds: number;
      /** Questions and complaints of people about their data. */
      grievances: number;
      /** Changes to the services of verified mechanics that wait for a decision. */
      mechanic_changes: number;
      /** Profiles that wait for verification. */
      mechanics: number;
      /** No-shows that an admin has to decide: no position proves the arrival, or the customer contests the fee. */
      no_shows: number;
      /** How long the oldest event of the gateway has been waiting, in seconds; null if none is waiting. */
      oldest_webhook_age_s: number | null;
      /** Money at the gateway that matches no payment, and is neither given back nor dismissed. */
      parked_payments: number;
      /** Refunds that are on their way to a customer, at the gateway. */
      refunds: number;
      /** Tows that no position shows at their destination. */
      tow_reviews: number;
      /** UPI accounts whose names do not match. */
      upi_mismatches: number;
      /** Webhooks that wait to be processed. */
      webhooks: number;
      /** Withdrawals that are on their way to a mechanic. */
      withdrawals: number;
    };
    /** An area in which a mechanic without a job should rather wait. It is only advice: a mechanic who stays loses nothing. */
    WaitingAdvice: {
      /** The driving time to its middle in seconds, in whole minutes. */
      drive_s: number;
      here: components["schemas"]["Surroundings"];
      /** The middle of the area; `radius_m` is how far it reaches. */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The radius of the area, in metres. */
      radius_m: number;
      /** The advantage of the area. */
      reason: components["schemas"]["AdviceReason"];
      /** The situation around the area, and around the mechanic. */
      there: components["schemas"]["Surroundings"];
      /** Until when the advice is valid. */
      until: components["schemas"]["Timestamp"];
      /** The reason in a sentence or two. */
      why: string;
    };
    /** An offer that waits for dispatchers or for its club. */
    WaitingOffer: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id of its case. */
      id: string;
      offer: components["schemas"]["OfferSnapshot"];
      /** The organisation whose it is. */
      organisation_id: string;
      /** The club's name. */
      organisation_name: string;
      /** The club's number; null if unknown. */
      organisation_phone: string | null;
      /** The club's own name for the case. */
      partner_reference: string;
    };
    /** @enum {string} */
    WaitReason: "free" | "held" | "busy" | "declined" | "out_of_reach" | "no_skill" | "nobody_online";
    /** A mechanic's balances and totals. */
    Wallet: {
      available: components["schemas"]["Money"];
      /** The currency of the amounts, as ISO 4217 writes it. */
      currency: string;
      /** Money within the clearing time, disputed, or on its way out. */
      held: components["schemas"]["Money"];
      /** The mechanic's shares of all payments, cash included, less refunds. */
      lifetime_earned: components["schemas"]["Money"];
      lifetime_withdrawn: components["schemas"]["Money"];
      next_release: components["schemas"]["NextRelease"] | null;
      /** Commission on cash, or a refund of money that was withdrawn already; taken off the next earnings. */
      owed: components["schemas"]["Money"];
      /** The part of the held amount that is on its way out. */
      pending_withdrawals: components["schemas"]["Money"];
      /** The available amount less the owed amount, at least zero. */
      withdrawable: components["schemas"]["Money"];
    };
    /** An account of a mechanic. */
    WalletAccount: "available" | "held" | "owed";
    /** One line of a mechanic's accounts. */
    WalletTransaction: {
      account: components["schemas"]["WalletAccount"];
      /** The amount: above zero if it adds to the account. Debts are below zero. */
      amount: components["schemas"]["Money"];
      /** When it happened, or was so. */
      at: components["schemas"]["Timestamp"];
      /** The id of the entry. An entry that moves an amount from one account to another has a line for each. */
      id: string;
      /** The job that it is about. */
      job_id: string | null;
      kind: components["schemas"]["EntryKind"];
      /** A remark to it; null if there is none. */
      note: string | null;
    };
    /** A route along roads: a Feature of RFC 7946, whose line begins beside the mechanic's last position. */
    WayAhead: {
      geometry: components["schemas"]["Line"] | null;
      /** What is known of the line, as GeoJSON has it. */
      properties: components["schemas"]["WayAheadProperties"];
      /** Always Feature. */
      type: string;
    };
    WayAheadProperties: {
      /** The line's length, in metres; null without a line. */
      distance_m: number | null;
    };
    /** An event that the gateway sends (contract 4.3). */
    Webhook: {
      /** The event's name. An event with an unknown name is stored, and ignored. */
      event: string;
      /** The subject of the event, as the gateway writes it. */
      payload: { [key: string]: unknown };
    };
    /** The outcome of a webhook. */
    WebhookAnswer: "ok" | "duplicate" | "ignored" | "error";
    /** The state of a delivery. */
    WebhookDeliveryStatus: "pending" | "delivered" | "dead";
    /** An event of the inbox. */
    WebhookEvent: {
      /** How often it was tried. */
      attempts: number;
      /** The gateway's name for what happened. */
      event: string;
      /** The gateway's id, or the body's SHA-256 if the gateway sent none. */
      event_id: string;
      /** The gateway that sent it. */
      gateway: string;
      /** The id by which other operations name it. */
      id: string;
      /** The reason why processing it failed last; null if it did not. */
      last_error: string | null;
      next_try_at: components["schemas"]["Timestamp"] | null;
      /** The payload without personal data: name, phone, email, address of payment. */
      payload: { [key: string]: unknown };
      /** When it came in. */
      received_at: components["schemas"]["Timestamp"];
      /** When it was done with; null before. */
      settled_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["WebhookStatus"];
    };
    /** The status of an event in the inbox; a dead one failed too often and waits for an admin. */
    WebhookStatus: "pending" | "processed" | "ignored" | "dead";
    /** An address that gets the events of the caller's cases. */
    WebhookSubscription: {
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The threshold of `job.near` in minutes; null without one. */
      eta_below_min: number | null;
      /** The kinds of events; all if it is empty. */
      events: components["schemas"]["PartnerEventKind"][];
      former_secret_until: components["schemas"]["Timestamp"] | null;
      /** The id by which other operations name it. */
      id: string;
      /** Why it is paused; null if it is not. */
      pause_reason: string | null;
      /** The interval of `job.position` in seconds; null if positions are not sent. */
      positions_every_s: number | null;
      status: components["schemas"]["SubscriptionStatus"];
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
      /** The address to which events are sent. */
      url: string;
      verified_at: components["schemas"]["Timestamp"] | null;
      /** The threshold of `job.near` in metres; null without one. */
      within_m: number | null;
    };
    /** The answer to a webhook (contract 4.3). */
    WebhookTaken: { status: components["schemas"]["WebhookAnswer"] };
    /** The outcome of a webhook that was sent to try a subscription out. */
    WebhookTrial: {
      /** The status of the answer; null if there was none. */
      answer_status: number | null;
      /** Why there was no answer; null if there was one. */
      failure: string | null;
      /** Whether the receiver answered 2xx. */
      is_taken: boolean;
    };
    WebPushConfig: {
      /** The key with which a page subscribes to pushes (RFC 8292); null if the service can't push to pages. */
      vapid_public_key: string | null;
    };
    /** A request, as shown to anybody who has its link. It reveals nothing about a person. */
    WhereAsked: {
      /** The operator's name; null if they have not set one. */
      asked_by: string | null;
      /** Until when it is good. */
      expires_at: components["schemas"]["Timestamp"];
      /** Whether a place was shared already; it may be corrected. */
      is_placed: boolean;
    };
    Whole0To10: number;
    Whole0To100: number;
    Whole0To168: number;
    Whole0To1000: number;
    Whole0To1440: number;
    Whole0To10000: number;
    Whole0To10000000: number;
    Whole0To1000000000: number;
    Whole1To5: number;
    Whole1To50: number;
    Whole1To100: number;
    Whole1To120: number;
    Whole1To240: number;
    Whole1To1000: number;
    Whole1To1440: number;
    Whole1To3600: number;
    Whole1To10000: number;
    Whole1To100000: number;
    Whole1To1000000: number;
    Whole1To1000000000: number;
    Whole1To1073741824: number;
    Whole1To9223372036854775807: number;
    Whole5To3600: number;
    Whole5To86400: number;
    Whole30To600: number;
    Whole50To2000: number;
    Whole50To50000: number;
    Whole60To86400: number;
    Whole1900To2200: number;
    /** A withdrawal from a mechanic's wallet. */
    Withdrawal: {
      amount: components["schemas"]["Money"];
      /** The reason why the payout failed; null if it did not. */
      failure_reason: string | null;
      /** The id by which other operations name it. */
      id: string;
      /** When it was asked for. */
      requested_at: components["schemas"]["Timestamp"];
      settled_at: components["schemas"]["Timestamp"] | null;
      status: components["schemas"]["WithdrawalStatus"];
      /** The UPI account to which the money goes. */
      upi_account_id: string;
      /** The bank's reference. */
      utr: string | null;
      /** The UPI address to which the money goes. */
      vpa: string;
    };
    /** A withdrawal with its mechanic, as only admins see it. */
    WithdrawalForAdmin: components["schemas"]["Withdrawal"] &
      components["schemas"]["MechanicContact"] & {
        /** The number of times that the provider was asked. */
        attempts: number;
        /** The payee of the payout. */
        holder_name: string;
        /**
         * Whether an admin pays it and then records the payment (`POST /admin/withdrawals/{id}/mark-paid`), because the
         * operator has no payout provider.
         */
        is_to_be_paid_by_hand: boolean;
        /** The mechanic, by the id of their profile. */
        mechanic_profile_id: string;
        /** The provider's id of the payout; null until it has answered. */
        payout_id: string | null;
      };
    /** The progress of a withdrawal. */
    WithdrawalStatus: "requested" | "processing" | "processed" | "failed" | "reversed";
    /** Why an admin rejects or suspends; the mechanic can read it. */
    WithReason: {
      /** Why, in the words of whoever decided it. */
      reason: components["schemas"]["Text3To500"];
    };
    /** A workshop that vehicles are towed to. */
    Workshop: {
      /** The address in words. */
      address: string;
      /** When it was made. */
      created_at: components["schemas"]["Timestamp"];
      /** The id by which other operations name it. */
      id: string;
      /** Whether customers can choose it. */
      is_active: boolean;
      /** Degrees north (WGS 84). */
      lat: number;
      /** Degrees east (WGS 84). */
      lng: number;
      /** The name, as people read it. */
      name: string;
      /** The phone number in E.164, such as +919876543210. */
      phone: string | null;
      /** When it was changed last. */
      updated_at: components["schemas"]["Timestamp"];
    };
    /** The fields to change; all others stay. */
    WorkshopChanges: {
      /** The address in words. */
      address?: components["schemas"]["Text1To500"];
      /** Whether it is offered now. */
      is_active?: boolean;
      lat?: components["schemas"]["Latitude"];
      lng?: components["schemas"]["Longitude"];
      /** The name, as people read it. */
      name?: components["schemas"]["Text1To100"];
      phone?: components["schemas"]["Phone"] | null;
    };
  };
}

//! Browser sessions: the refresh token in a cookie.

use reqwest::{Method, RequestBuilder};
use roadcall::{accounts::auth::Role, platform::settings::Environment};
use serde_json::{Value, json};

use crate::support::{Answer, Client, TestApp, new_phone, spawn_app, spawn_app_with};

const APP: &str = "https://app.example";
const HOST_ONLY: &str = "__Host-";
const ANSWERED: [&str; 3] = ["content-type", "cache-control", "set-cookie"];

/// A POST that a page makes.
pub(super) struct Page<'a> {
    client: &'a Client,
    path: &'a str,
    body: Option<Value>,
    headers: Vec<(&'static str, String)>,
}

impl<'a> Page<'a> {
    pub(super) fn posts(client: &'a Client, path: &'a str) -> Self {
        Self { client, path, body: None, headers: vec![("x-session", "cookie".to_owned())] }
    }

    pub(super) fn body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    pub(super) fn cookie(self, token: &str) -> Self {
        self.header("cookie", format!("theme=dark; roadcall_session={token}; b=\"1\""))
    }

    fn host_only_cookie(self, token: &str) -> Self {
        self.header("cookie", format!("{HOST_ONLY}roadcall_session={token}"))
    }

    pub(super) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(given, _)| *given != name);
        self
    }

    /// Says where the session is kept.
    fn place(self, place: impl Into<String>) -> Self {
        self.without("x-session").header("x-session", place)
    }

    pub(super) async fn sent(self) -> Answer {
        let alter = |request: RequestBuilder| {
            let request = match &self.body {
                Some(body) => request.json(body),
                None => request,
            };
            self.headers.iter().fold(request, |request, (name, value)| request.header(*name, value))
        };
        self.client.send_as(Method::POST, self.path, alter).await
    }
}

/// Returns the token and the attributes of the cookie that an answer sets.
pub(super) fn set_cookie(answer: &Answer) -> (String, String) {
    let all: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    let [cookie] = all.as_slice() else { panic!("not one cookie: {all:?} {}", answer.text) };
    let (pair, attributes) = cookie.to_str().unwrap().split_once("; ").expect("attributes");
    let token = pair.trim_start_matches(HOST_ONLY).strip_prefix("roadcall_session=").expect("its name");
    assert_eq!(pair.starts_with(HOST_ONLY), attributes.ends_with("Secure"), "{pair} {attributes}");
    (token.to_owned(), attributes.to_owned())
}

async fn verify_body(app: &TestApp, phone: &str) -> Value {
    let sent = app.send_otp(phone).await.expect(200);
    json!({ "phone": phone, "otp": sent["data"]["otp"], "name": "Asha Rao" })
}

/// Signs in with a page; returns its client with the access token, and its cookie.
async fn signed_in(app: &TestApp, phone: &str) -> (Client, String) {
    let (nobody, body) = (app.anonymous(), verify_body(app, phone).await);
    with_access(app, Page::posts(&nobody, "/auth/verify-otp").body(body).sent().await)
}

fn with_access(app: &TestApp, answer: Answer) -> (Client, String) {
    let (cookie, _) = set_cookie(&answer);
    assert!(!answer.text.contains(&cookie), "the body has the refresh token: {}", answer.text);
    let data = &answer.expect(200)["data"];
    assert!(data.get("refreshToken").is_none(), "{data}");
    (app.anonymous().with_token(data["accessToken"].as_str().expect("an access token")), cookie)
}

async fn refresh(app: &TestApp, cookie: &str) -> Answer {
    Page::posts(&app.anonymous(), "/auth/refresh").cookie(cookie).sent().await
}

async fn refreshed(app: &TestApp, cookie: &str) -> (Client, String) {
    with_access(app, refresh(app, cookie).await)
}

/// Moves the session back by so many seconds since the last exchange.
async fn later(app: &TestApp, seconds: i32) {
    let move_back = "update refresh_tokens
        set used_at = used_at - make_interval(secs => $1), created_at = created_at - make_interval(secs => $1)";
    sqlx::query(move_back).bind(f64::from(seconds)).execute(&app.database.db).await.unwrap();
}

async fn live_tokens(app: &TestApp) -> i64 {
    let live = "select count(*) from refresh_tokens where used_at is null";
    app.sql_value(live).await
}

#[actix_web::test]
async fn a_page_signs_in_refreshes_and_signs_out_without_ever_seeing_its_refresh_token() {
    let app = spawn_app().await;
    let (page, first) = signed_in(&app, &new_phone()).await;
    page.get("/users/me").await.expect(200);
    let (page, second) = refreshed(&app, &first).await;
    page.get("/users/me").await.expect(200);
    assert_ne!(first, second);
    later(&app, 31).await;
    let (page, third) = refreshed(&app, &second).await;
    assert_ne!(second, third);

    let answer = Page::posts(&page, "/auth/logout").cookie(&third).sent().await;
    let (token, attributes) = set_cookie(&answer);
    assert_eq!((answer.status, token.as_str()), (204, ""));
    assert_eq!(attributes, "Path=/auth; Max-Age=0; HttpOnly; SameSite=Strict");
    page.get("/users/me").await.refused(401, "UNAUTHORIZED");
    refresh(&app, &third).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn an_admin_signs_in_with_a_cookie_and_a_session_moves_into_one() {
    let app = spawn_app().await;
    app.make_admin("asha@example.com", Role::Admin).await;
    let (nobody, login) = (app.anonymous(), json!({"idpIdToken": app.id_token("asha@example.com").await}));
    let (page, cookie) =
        with_access(&app, Page::posts(&nobody, "/auth/admin-login").body(login).sent().await);
    page.get("/admin/users").await.expect(200);
    refreshed(&app, &cookie).await;

    let person = app.customer().await;
    let body = json!({"refreshToken": person.refresh_token});
    let (page, cookie) = with_access(&app, Page::posts(&nobody, "/auth/refresh").body(body).sent().await);
    page.get("/users/me").await.expect(200);
    refreshed(&app, &cookie).await;
}

#[actix_web::test]
async fn a_cookies_attributes_keep_it_from_scripts_other_sites_and_other_routes() {
    let development = spawn_app().await;
    let production = spawn_app_with(|settings| {
        settings.environment = Environment::Production;
        settings.metrics.listen = "127.0.0.1:0".parse().unwrap();
    })
    .await;
    let over_tls =
        spawn_app_with(|settings| settings.server.public_url = "https://example.com/roads".to_owned()).await;
    for (app, prefix, path, secure) in [
        (&development, "", "/auth", ""),
        (&development, "/api/v1", "/api/v1/auth", ""),
        (&production, "/api/v1", "/", "; Secure"),
        (&over_tls, "", "/", "; Secure"),
    ] {
        let expected = format!("Path={path}; Max-Age=2592000; HttpOnly; SameSite=Strict{secure}");
        let (nobody, body) = (app.anonymous(), verify_body(app, &new_phone()).await);
        let signed_in = Page::posts(&nobody, &format!("{prefix}/auth/verify-otp")).body(body).sent().await;
        let (token, attributes) = set_cookie(&signed_in);
        assert_eq!(attributes, expected);
        let path = format!("{prefix}/auth/refresh");
        let again = Page::posts(&nobody, &path);
        let again = if secure.is_empty() { again.cookie(&token) } else { again.host_only_cookie(&token) };
        let again = again.sent().await;
        assert_eq!(set_cookie(&again).1, expected);
    }
}

#[actix_web::test]
async fn only_pages_of_the_service_and_of_listed_origins_may_use_a_cookie() {
    let app = spawn_app_with(|settings| {
        settings.http.allowed_origins = vec![APP.to_owned()];
        settings.ws.allowed_origins = vec!["https://socket.example".to_owned()];
    })
    .await;
    let own = format!("http://{}", app.address);
    let (page, mut cookie) = signed_in(&app, &new_phone()).await;
    let nobody = app.anonymous();
    let refreshing = || Page::posts(&nobody, "/auth/refresh");
    for origin in [
        "https://evil.example",
        "null",
        "",
        "http://app.example",
        "https://socket.example",
        "https://app.example.evil",
    ] {
        let refreshed = refreshing().cookie(&cookie).header("origin", origin).sent().await;
        assert!(refreshed.header("set-cookie").is_none());
        refreshed.refused(403, "COOKIE_REFUSED");
        let logout = Page::posts(&page, "/auth/logout").cookie(&cookie).header("origin", origin).sent().await;
        logout.refused(403, "COOKIE_REFUSED");
        for (path, body) in [
            ("/auth/verify-otp", json!({"phone": "+919876500000", "otp": "000000"})),
            ("/auth/admin-login", json!({"idpIdToken": "x"})),
            ("/auth/accept-invite", json!({"token": "x", "idpIdToken": "x"})),
        ] {
            let answer = Page::posts(&nobody, path).body(body).header("origin", origin).sent().await;
            answer.refused(403, "COOKIE_REFUSED");
        }
    }
    let two = refreshing().cookie(&cookie).header("origin", APP);
    two.header("origin", "https://evil.example").sent().await.refused(403, "COOKIE_REFUSED");
    for origin in [APP, &own] {
        let answer = refreshing().cookie(&cookie).header("origin", origin).sent().await;
        if origin == APP {
            assert_eq!(answer.header("access-control-allow-origin"), Some(APP));
            assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
        }
        cookie = with_access(&app, answer).1;
    }
    assert_eq!(live_tokens(&app).await, 1, "what was refused changed nothing");
}

#[actix_web::test]
async fn a_page_without_tls_may_not_use_a_cookie_of_a_service_behind_tls() {
    let app = spawn_app_with(|settings| settings.server.public_url = "https://api.example".to_owned()).await;
    let (_, cookie) = signed_in(&app, &new_phone()).await;
    let nobody = app.anonymous();
    let from = |origin: String| {
        Page::posts(&nobody, "/auth/refresh").host_only_cookie(&cookie).header("origin", origin).sent()
    };
    from(format!("http://{}", app.address)).await.refused(403, "COOKIE_REFUSED");
    from("http://api.example".to_owned()).await.refused(403, "COOKIE_REFUSED");
    from("https://api.example".to_owned()).await.expect(200);
}

#[actix_web::test]
async fn a_cookie_counts_only_with_the_header_and_only_for_refreshing() {
    let app = spawn_app().await;
    let (page, cookie) = signed_in(&app, &new_phone()).await;
    let nobody = app.anonymous();
    let bare = || Page::posts(&nobody, "/auth/refresh").cookie(&cookie).without("x-session");
    bare().sent().await.refused(403, "COOKIE_REFUSED");
    bare().body(json!({})).sent().await.refused(403, "COOKIE_REFUSED");
    bare().header("x-session", "token").sent().await.refused_field("X-Session");
    for odd in
        "cookie/ cookie/Console cookie/a_b cookie/abcdefghijklmnopq cookies cookie/a,cookie/b".split(' ')
    {
        bare().header("x-session", odd).sent().await.refused_field("X-Session");
    }
    let refreshing = || Page::posts(&nobody, "/auth/refresh");
    refreshing().header("x-session", "cookie").sent().await.refused_field("X-Session");
    refreshing().sent().await.expect(204);
    refreshing().cookie("").sent().await.expect(204);
    let two = refreshing().cookie(&cookie).cookie("another");
    two.sent().await.refused(403, "COOKIE_REFUSED");
    for path in ["/auth/logout", "/ws/ticket", "/jobs"] {
        let answer = Page::posts(&nobody, path).cookie(&cookie).body(json!({})).sent().await;
        answer.refused(401, "UNAUTHORIZED");
    }
    for path in ["/users/me", "/auth/sessions"] {
        let cookie = format!("roadcall_session={cookie}");
        let alter = |request: RequestBuilder| request.header("cookie", &cookie).header("x-session", "cookie");
        nobody.send_as(Method::GET, path, alter).await.refused(401, "UNAUTHORIZED");
    }
    page.get("/users/me").await.expect(200);
    refreshed(&app, &cookie).await;
}

#[actix_web::test]
async fn apps_of_one_origin_have_sessions_of_their_own_in_one_browser() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    let mut jar = Vec::new();
    let mut people = Vec::new();
    for name in ["customer", "mechanic", "abcdefghijklmnop"] {
        let phone = new_phone();
        let signing_in = Page::posts(&nobody, "/auth/verify-otp").body(verify_body(&app, &phone).await);
        let answer = signing_in.place(format!("cookie/{name}")).sent().await;
        let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
        assert!(cookie.starts_with(&format!("roadcall_session_{name}=")), "{cookie}");
        assert!(cookie.contains("; Path=/auth; "), "{cookie}");
        assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
        let body = answer.expect(200);
        assert!(body["data"]["refreshToken"].is_null(), "{body}");
        jar.push(cookie.split("; ").next().expect("the pair").to_owned());
        people.push((name, phone));
    }
    let all = jar.join("; ");
    let refresh = async |place: &str| {
        Page::posts(&nobody, "/auth/refresh").place(place).header("cookie", all.clone()).sent().await
    };
    for (name, phone) in &people {
        let page = with_token(&app, &refresh(&format!("cookie/{name}")).await.expect(200));
        assert_eq!(page.get("/users/me").await.expect(200)["phone"], *phone, "{name}");
    }
    // No cookie has the plain name, and none counts without the header.
    refresh("cookie").await.expect(204);
    refresh("cookie/console").await.expect(204);
    let bare = Page::posts(&nobody, "/auth/refresh").without("x-session").header("cookie", jar[0].clone());
    bare.sent().await.refused(403, "COOKIE_REFUSED");
    let page = with_token(&app, &refresh("cookie/customer").await.expect(200));
    let logout = Page::posts(&page, "/auth/logout").place("cookie/customer").header("cookie", all.clone());
    let left = logout.sent().await;
    let cleared = left.header("set-cookie").expect("a cookie").to_owned();
    assert!(cleared.starts_with("roadcall_session_customer=;") && cleared.contains("Max-Age=0"), "{cleared}");
    refresh("cookie/customer").await.refused(401, "UNAUTHORIZED");
    refresh("cookie/mechanic").await.expect(200);
}

fn with_token(app: &TestApp, answer: &Value) -> Client {
    app.anonymous().with_token(answer["data"]["accessToken"].as_str().expect("a token"))
}

#[actix_web::test]
async fn a_reused_old_cookie_ends_its_session_and_no_other() {
    let app = spawn_app().await;
    let phone = new_phone();
    let (_, first) = signed_in(&app, &phone).await;
    let (other, other_cookie) = signed_in(&app, &phone).await;
    let (_, second) = refreshed(&app, &first).await;
    later(&app, 31).await;
    let (page, third) = refreshed(&app, &second).await;
    let answer = refresh(&app, &first).await;
    assert!(answer.header("set-cookie").is_none(), "another tab may have signed in again meanwhile");
    answer.refused(401, "UNAUTHORIZED");
    page.get("/users/me").await.refused(401, "UNAUTHORIZED");
    refresh(&app, &third).await.refused(401, "UNAUTHORIZED");
    other.get("/users/me").await.expect(200);
    refreshed(&app, &other_cookie).await;
}

#[actix_web::test]
async fn after_the_grace_even_the_previous_cookie_is_a_reuse() {
    let app = spawn_app().await;
    let (_, first) = signed_in(&app, &new_phone()).await;
    let (page, second) = refreshed(&app, &first).await;
    later(&app, 31).await;
    refresh(&app, &first).await.refused(401, "UNAUTHORIZED");
    page.get("/users/me").await.refused(401, "UNAUTHORIZED");
    refresh(&app, &second).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn tabs_that_refresh_at_once_share_one_cookie() {
    let app = spawn_app().await;
    let (_, mut cookie) = signed_in(&app, &new_phone()).await;
    for _ in 0..3 {
        let tabs = futures_util::future::join_all((0..6).map(|_| refresh(&app, &cookie))).await;
        let (pages, cookies): (Vec<_>, Vec<_>) = tabs.into_iter().map(|tab| with_access(&app, tab)).unzip();
        assert!(cookies.iter().all(|next| *next == cookies[0] && *next != cookie), "{cookies:?}");
        // A tab that opened a moment later already has the new cookie, while another's request with the old one is still on
        // its way.
        assert_eq!(refreshed(&app, &cookies[0]).await.1, cookies[0]);
        assert_eq!(refreshed(&app, &cookie).await.1, cookies[0]);
        for page in pages {
            page.get("/users/me").await.expect(200);
        }
        assert_eq!(live_tokens(&app).await, 1);
        cookie.clone_from(&cookies[0]);
        later(&app, 31).await;
    }
}

#[actix_web::test]
async fn a_cookie_that_a_neighbouring_domain_may_have_set_is_dropped_over_tls() {
    let app =
        spawn_app_with(|settings| settings.server.public_url = "https://example.com/roads".to_owned()).await;
    let (_, cookie) = signed_in(&app, &new_phone()).await;
    let (_, strangers) = signed_in(&app, &new_phone()).await;
    let nobody = app.anonymous();
    Page::posts(&nobody, "/auth/refresh").cookie(&strangers).sent().await.expect(204);
    let both = format!("roadcall_session={strangers}; {HOST_ONLY}roadcall_session={cookie}");
    let answer = Page::posts(&nobody, "/auth/refresh").header("cookie", both).sent().await;
    let set: Vec<_> = answer.headers.get_all("set-cookie").iter().map(|set| set.to_str().unwrap()).collect();
    let [dropped, kept] = set.as_slice() else { panic!("{set:?}") };
    assert_eq!(*dropped, "roadcall_session=; Path=/roads/auth; Max-Age=0; HttpOnly; SameSite=Strict; Secure");
    let (pair, _) = kept.split_once("; ").expect("attributes");
    let next = pair.strip_prefix("__Host-roadcall_session=").expect("its name");
    let again = Page::posts(&nobody, "/auth/refresh").host_only_cookie(next).sent().await;
    with_access(&app, again).0.get("/users/me").await.expect(200);
}

/// Makes one attempt to refresh.
async fn attempt(app: &TestApp, cookie: &str, attempt: &str) -> Answer {
    let page = app.anonymous();
    Page::posts(&page, "/auth/refresh").cookie(cookie).header("x-attempt", attempt).sent().await
}

#[actix_web::test]
async fn a_repeated_attempt_gets_the_same_cookie() {
    let app = spawn_app().await;
    let (_, first) = signed_in(&app, &new_phone()).await;
    let (own, next) = ("own-attempt-00000001", "own-attempt-00000002");
    let (_, second) = with_access(&app, attempt(&app, &first, own).await);
    assert_eq!(with_access(&app, attempt(&app, &first, own).await).1, second, "the answer was lost");
    assert_eq!(with_access(&app, attempt(&app, &second, own).await).1, second, "only the page was lost");
    let (page, third) = with_access(&app, attempt(&app, &second, next).await);
    assert_ne!(third, second);
    page.get("/users/me").await.expect(200);
    for odd in ["short", "with spaces in between it", &"x".repeat(65)] {
        attempt(&app, &third, odd).await.refused_field("X-Attempt");
    }
}

#[actix_web::test]
async fn a_copied_cookie_is_noticed_even_if_used_at_once() {
    let app = spawn_app().await;
    let (own, theirs) = ("own-attempt-00000001", "their-attempt-000001");
    // In one case the thief is second, in the next the thief is first, and in the last the thief copied the newest cookie.
    for case in 0..3 {
        let (_, first) = signed_in(&app, &new_phone()).await;
        let by = if case == 1 { [theirs, own] } else { [own, theirs] };
        let (page, second) = with_access(&app, attempt(&app, &first, by[0]).await);
        page.get("/users/me").await.expect(200);
        let stolen = if case == 2 {
            with_access(&app, attempt(&app, &second, theirs).await);
            attempt(&app, &second, "own-attempt-00000002").await
        } else {
            attempt(&app, &first, by[1]).await
        };
        stolen.refused(401, "UNAUTHORIZED");
        page.get("/users/me").await.refused(401, "UNAUTHORIZED");
        attempt(&app, &second, by[0]).await.refused(401, "UNAUTHORIZED");
    }
    // Without attempts, the name of another browser gives a thief away.
    let (page, first) = signed_in(&app, &new_phone()).await;
    refreshed(&app, &first).await;
    let nobody = app.anonymous();
    let thief = Page::posts(&nobody, "/auth/refresh").cookie(&first).header("user-agent", "curl/8");
    thief.sent().await.refused(401, "UNAUTHORIZED");
    page.get("/users/me").await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn a_session_may_be_refreshed_both_ways_and_has_one_live_token() {
    let app = spawn_app().await;
    let (_, first) = signed_in(&app, &new_phone()).await;
    refreshed(&app, &first).await;
    app.anonymous().post("/auth/refresh", json!({ "refreshToken": first })).await.expect(200);
    let (_, second) = refreshed(&app, &first).await;
    assert_eq!(live_tokens(&app).await, 1);
    later(&app, 31).await;
    let (page, _) = refreshed(&app, &second).await;
    page.get("/users/me").await.expect(200);
}

#[actix_web::test]
async fn a_suspended_person_is_refused_and_can_refresh_after_reinstatement() {
    let app = spawn_app().await;
    let (page, cookie) = signed_in(&app, &new_phone()).await;
    let me = page.get("/users/me").await.expect(200);
    let (admin, id) = (app.admin().await, me["id"].as_str().expect("an id"));
    let decide = async |what: &str, body: Value| {
        admin.post(&format!("/admin/users/{id}/{what}"), body).await.expect(200)
    };
    decide("suspend", json!({"reason": "fraud"})).await;
    let answer = refresh(&app, &cookie).await;
    assert!(answer.header("set-cookie").is_none());
    answer.refused(403, "ACCOUNT_SUSPENDED");
    decide("reinstate", json!({})).await;
    let (page, _) = refreshed(&app, &cookie).await;
    page.get("/users/me").await.expect(200);
}

#[actix_web::test]
async fn clients_that_keep_their_tokens_get_the_same_answers_as_before() {
    let app = spawn_app().await;
    let nobody = app.anonymous();
    let fields = |data: &Value| data.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let answered = |answer: &Answer| ANSWERED.map(|name| answer.header(name).map(str::to_owned));
    let expected = [Some("application/json".to_owned()), Some("no-store".to_owned()), None];

    let signed_in = nobody.post("/auth/verify-otp", verify_body(&app, &new_phone()).await).await;
    assert_eq!(answered(&signed_in), expected);
    let (data, text) = (signed_in.body["data"].clone(), signed_in.text);
    let whole = format!(
        r#"{{"success":true,"data":{{"accessToken":{},"refreshToken":{},"userId":{},"role":"customer","expiresIn":900,"isNewUser":true,"mechanicProfileId":null,"deviceToken":{}}}}}"#,
        data["accessToken"], data["refreshToken"], data["userId"], data["deviceToken"]
    );
    assert_eq!(text, whole);

    let token = json!({"refreshToken": data["refreshToken"]});
    // A cookie is ignored beside a token.
    let refreshed =
        Page::posts(&nobody, "/auth/refresh").without("x-session").cookie("x").body(token).sent().await;
    assert_eq!(answered(&refreshed), expected);
    let (data, text) = (refreshed.body["data"].clone(), refreshed.text);
    let whole = format!(
        r#"{{"success":true,"data":{{"accessToken":{},"refreshToken":{},"userId":{},"role":"customer","expiresIn":900,"mechanicProfileId":null}}}}"#,
        data["accessToken"], data["refreshToken"], data["userId"]
    );
    assert_eq!(text, whole);

    app.make_admin("asha@example.com", Role::Admin).await;
    let login = json!({"idpIdToken": app.id_token("asha@example.com").await});
    let admin = nobody.post("/auth/admin-login", login).await;
    assert_eq!(answered(&admin), expected);
    assert_eq!(fields(&admin.body["data"]).len(), 5);
    assert!(admin.body["data"]["refreshToken"].is_string());

    for body in [None, Some(json!({})), Some(json!({"refreshToken": ""}))] {
        nobody.send(Method::POST, "/auth/refresh", body).await.refused_field("refreshToken");
    }
    let page = app.anonymous().with_token(data["accessToken"].as_str().unwrap());
    let logout = Page::posts(&page, "/auth/logout").without("x-session").cookie("x").sent().await;
    assert_eq!((logout.status, logout.header("set-cookie")), (204, None));
}

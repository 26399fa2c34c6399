//! What every request passes before it is answered, and every answer after.

use std::{net::IpAddr, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use tower_http::{
    compression::CompressionLayer,
    cors::{AllowOrigin, CorsLayer},
    limit::RequestBodyLimitLayer,
    set_header::SetResponseHeaderLayer,
    timeout::TimeoutLayer,
};

use crate::{cli::Cli, site::Problem};

/// Longest address that is looked at; a FEN has at most some 90 characters.
const MAX_ADDRESS_BYTES: usize = 2_048;
/// Largest body: [`crate::routes::MAX_POSITIONS`] positions with room to spare.
const MAX_BODY_BYTES: usize = 64 * 1024;
/// How long a request may take, a slow body included.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The page loads nothing from anywhere else, and nobody may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Puts the limits around a site that listens on `address`.
pub(crate) fn wrap(site: Router, cli: &Cli, address: IpAddr) -> Router {
    let header = |name: HeaderName, value| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    site.layer(RequestBodyLimitLayer::new(MAX_BODY_BYTES))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            REQUEST_TIMEOUT,
        ))
        .layer(middleware::map_response(told))
        .layer(CompressionLayer::new())
        .layer(cors(&cli.cors))
        .layer(header(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(middleware::from_fn_with_state(address, check))
}

fn cors(origins: &[HeaderValue]) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE]);
    match origins {
        [] => layer,
        all if all.iter().any(|origin| origin == "*") => layer.allow_origin(AllowOrigin::any()),
        some => layer.allow_origin(AllowOrigin::list(some.iter().cloned())),
    }
}

/// What the limits answer is said as every other problem is.
async fn told(response: Response) -> Response {
    let message = match response.status() {
        StatusCode::PAYLOAD_TOO_LARGE => format!("the body has more than {MAX_BODY_BYTES} bytes"),
        StatusCode::REQUEST_TIMEOUT => {
            let seconds = REQUEST_TIMEOUT.as_secs();
            format!("the request took more than {seconds} seconds; ask again, or for less at once")
        }
        _ => return response,
    };
    Problem::of(response.status(), message).into_response()
}

/// Refuses over-long addresses and names that are not ours; answers a plain OPTIONS.
async fn check(State(address): State<IpAddr>, request: Request, next: Next) -> Response {
    if request.uri().to_string().len() > MAX_ADDRESS_BYTES {
        return Problem::of(StatusCode::URI_TOO_LONG, "the address is too long").into_response();
    }
    if address.is_loopback() && !is_local(&request) {
        let message = "this server answers to localhost only; start it with --bind to be reached by \
                       another name";
        return Problem::of(StatusCode::MISDIRECTED_REQUEST, message).into_response();
    }
    let headers = request.headers();
    if request.method() == Method::OPTIONS
        && !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
    {
        let allowed = if request.uri().path() == "/standard" {
            "GET, HEAD, OPTIONS, POST"
        } else {
            "GET, HEAD, OPTIONS"
        };
        return (StatusCode::NO_CONTENT, [(header::ALLOW, allowed)]).into_response();
    }
    next.run(request).await
}

/// Does the request name this machine? A page of another site that has its name point to
/// 127.0.0.1 (DNS rebinding) does not. Programs that name nothing (HTTP/1.0) are no browsers.
fn is_local(request: &Request) -> bool {
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = match (request.uri().authority(), named.next(), named.next()) {
        (_, _, Some(_)) => return false,
        (Some(authority), _, _) => authority.as_str(),
        (None, Some(host), _) => host.to_str().unwrap_or_default(),
        (None, None, _) => return request.version() < axum::http::Version::HTTP_11,
    };
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host,
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = bare.parse::<IpAddr>().is_ok_and(|it| it.is_loopback());
    is_loopback || host.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use axum::body::Body;

    use super::*;

    #[test]
    fn only_names_of_this_machine_are_local() {
        for (host, local) in [
            ("localhost", true),
            ("LOCALHOST:9000", true),
            ("127.0.0.1:9000", true),
            ("127.1.2.3", true),
            ("[::1]:9000", true),
            ("[::1]", true),
            ("attacker.example", false),
            ("localhost.attacker.example", false),
            ("127.0.0.1.nip.io", false),
            ("user@localhost", false),
            ("10.0.0.1", false),
            ("", false),
        ] {
            let request = Request::builder().uri("/").header("Host", host);
            assert_eq!(
                is_local(&request.body(Body::empty()).unwrap()),
                local,
                "{host}"
            );
        }
    }

    #[test]
    fn an_absolute_address_names_the_host() {
        let told = |uri: &str| {
            let request = Request::builder().uri(uri).header("Host", "localhost");
            is_local(&request.body(Body::empty()).unwrap())
        };
        assert!(told("http://127.0.0.1:9000/standard"));
        assert!(!told("http://attacker.example/standard"));
    }
}

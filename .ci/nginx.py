"""Kibitz behind nginx, with the settings of deploy/nginx.conf on free ports."""
import http.client
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

nginx, kibitz = sys.argv[1:]
BASE = "/kibitz"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ask(method, path, body=None, headers=None, connection=None):
    own = connection or http.client.HTTPConnection("127.0.0.1", front, timeout=20)
    own.request(method, path, body, headers or {})
    answer = own.getresponse()
    return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read()


def holds(what, condition, seen=""):
    if not condition:
        raise SystemExit(f"failed: {what}: {seen}")
    print(f"holds: {what}")


front, back = free_port(), free_port()
home = pathlib.Path(tempfile.mkdtemp())
settings = pathlib.Path("deploy/nginx.conf").read_text()
# A second way in, which removes a prefix and buffers what it may.
settings = settings.replace("    location /kibitz/ {", """    location /games/ {
        proxy_pass http://kibitz/;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Prefix /games;
        proxy_buffering on;
    }

    location /kibitz/ {""", 1)
settings = settings.replace("127.0.0.1:8080", f"127.0.0.1:{back}").replace("127.0.0.1:8000", f"127.0.0.1:{front}")
places = "".join(f"{kind}_temp_path {home};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
(home / "nginx.conf").write_text(
    f"daemon off; pid {home}/pid; error_log {home}/error.log; events {{}} http {{ access_log off; {places}\n{settings}\n}}")
log = open(home / "log", "w")
service = subprocess.Popen([kibitz, "--listen", f"127.0.0.1:{back}", "--base-path", BASE, "--header-timeout", "75",
                            "--trusted-proxies", "127.0.0.1", "--rate-limit", "100000"], stderr=log)
proxy = subprocess.Popen([nginx, "-e", f"{home}/error.log", "-p", str(home), "-c", str(home / "nginx.conf")])
try:
    for _ in range(200):
        try:
            if ask("GET", f"{BASE}/readyz")[0] == 200:
                break
        except OSError:
            pass
        time.sleep(0.1)
    question = json.dumps({"dice": [1, 3, 3, 4, 6], "rolls_left": 2})
    typed = {"content-type": "application/json"}
    status, headers, body = ask("POST", f"{BASE}/yahtzee/best-action", question, typed)
    holds("a question below the sub-path is answered", status == 200 and json.loads(body)["best"], (status, body))

    status, headers, body = ask("GET", f"{BASE}/nothing", headers={"x-request-id": "through-the-proxy"})
    problem = json.loads(body)
    holds("a problem's type lies below the sub-path", problem["type"] == f"{BASE}/problems/not_found", problem)
    holds("it leads to its description", ask("GET", problem["type"])[0] == 200)
    holds("the client's request id comes back", headers["x-request-id"] == problem["instance"] == "through-the-proxy", headers)
    ids = {ask("GET", f"{BASE}/healthz")[1]["x-request-id"] for _ in range(5)}
    holds("a request without one gets one of its own", len(ids) == 5 and all(re.fullmatch("[0-9a-f]{32}", i) for i in ids), ids)

    def connections():
        # Lines of /proc/net/tcp whose remote end is the service: established connections of the proxy to it.
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return {line.split()[1] for line in lines if line.split()[2].endswith(f":{back:04X}") and line.split()[3] == "01"}

    kept = http.client.HTTPConnection("127.0.0.1", front, timeout=20)
    seen = set()
    for _ in range(50):
        holds_status = ask("GET", f"{BASE}/version", connection=kept)[0]
        assert holds_status == 200
        seen |= connections()
    holds("50 requests share connections to the service", len(seen) <= 4, seen)

    status, headers, _ = ask("GET", f"{BASE}/version", headers={"x-forwarded-for": "192.0.2.1", "forwarded": "for=192.0.2.2"})
    holds("the rate limit passes the proxy", status == 200 and headers["ratelimit"].startswith('"client";r='), headers)

    status, headers, body = ask("POST", f"{BASE}/craps/simulations", json.dumps(
        {"kind": "sessions", "bet": "pass_line", "odds": "none", "bankroll": 50, "target": 100, "max_rounds": 200,
         "sessions": 1_000_000_000, "seed": 1}), typed)
    location = headers["location"]
    holds("a job's location lies below the sub-path", status == 202 and location.startswith(f"{BASE}/craps/simulations/"), headers)
    listener = http.client.HTTPConnection("127.0.0.1", front, timeout=20)
    listener.request("GET", f"{location}/events")
    stream = listener.getresponse()
    holds("its events are a stream", stream.status == 200 and stream.getheader("content-type") == "text/event-stream")
    started, events = time.monotonic(), []
    while len(events) < 4:
        line = stream.readline()
        if line.startswith(b"event:"):
            events.append((line.split(b":")[1].strip().decode(), time.monotonic() - started))
    holds("events come while the job runs", all(name == "progress" for name, _ in events), events)
    holds("and one by one, not from a buffer", events[-1][1] - events[0][1] > 0.05, events)
    holds("the job is cancelled", ask("POST", f"{location}/cancel")[0] == 200)
    rest = stream.read().decode()
    holds("its end is the last event, and the stream closes", "event: cancelled" in rest.replace("event:cancelled", "event: cancelled"), rest[-300:])

    OUTER = f"/games{BASE}"
    status, headers, body = ask("GET", f"{OUTER}/nothing")
    problem = json.loads(body)
    holds("a problem's type carries the removed prefix", problem["type"] == f"{OUTER}/problems/not_found", problem)
    holds("it leads to its description", ask("GET", problem["type"])[0] == 200)
    status, headers, body = ask("POST", f"{OUTER}/craps/simulations", json.dumps(
        {"kind": "decisions", "bet": "any_seven", "decisions": 1_000_000_000_000, "seed": 1}), typed)
    location = headers["location"]
    holds("a job's `Location` carries the removed prefix", status == 202 and location.startswith(f"{OUTER}/craps/simulations/"), headers)
    holds("it leads to the job", ask("GET", location)[0] == 200)
    for path, end in [("/version/?lang=en", "/version?lang=en"), ("", "/")]:
        status, headers, _ = ask("GET", f"{OUTER}{path}")
        leads = urllib.parse.urljoin(f"http://127.0.0.1:{front}{OUTER}{path}", headers["location"])
        holds("a redirect stays below the prefix", leads == f"http://127.0.0.1:{front}{OUTER}{end}", (status, leads))
        holds("it leads to an answer", ask("GET", f"{OUTER}{end}")[0] == 200)
    listener = http.client.HTTPConnection("127.0.0.1", front, timeout=20)
    listener.request("GET", f"{location}/events")
    stream, events, started = listener.getresponse(), [], time.monotonic()
    while len(events) < 4:
        if stream.readline().startswith(b"event:"):
            events.append(time.monotonic() - started)
    holds("events are not buffered by a proxy that buffers", events[-1] - events[0] > 0.05, events)
    holds("that job is cancelled", ask("POST", f"{location}/cancel")[0] == 200)
    stream.read()

    big = json.dumps({"requests": [{"dice": [1, 3, 3, 4, 6], "rolls_left": 2, "limit": 50}] * 1000})
    status, headers, body = ask("POST", f"{BASE}/yahtzee/best-action/batch", big, {**typed, "accept-encoding": "gzip"})
    holds("a batch passes, compressed", status == 200 and headers.get("content-encoding") == "gzip" and len(body) > 10_000, status)
finally:
    for process in (proxy, service):
        process.terminate()
    codes = [process.wait(20) for process in (proxy, service)]
holds("both end well", codes == [0, 0], codes)

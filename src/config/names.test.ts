import { expect, it } from "vitest";
import { settingsSource } from "../../test/support/settings-source.ts";
import { SETTING_NAMES, unknownSettingWarnings } from "./names.ts";

it("every setting that is read is in the list of names, and no other", () => {
  const read = [...settingsSource.matchAll(/(?:value|optional)\(\s*"([A-Z0-9_]+)"/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(read)].sort()).toEqual([...SETTING_NAMES].sort());
});

it.each([
  ["LOGLEVEL", "LOG_LEVEL"],
  ["log_level", "LOG_LEVEL"],
  ["LOG_LEVLE", "LOG_LEVEL"],
  ["PUBLICURL", "PUBLIC_URL"],
  ["POOL_THREAD", "POOL_THREADS"],
  ["WEBHOOKS_ALLOW_HTTP", "WEBHOOK_ALLOW_HTTP"],
  ["KAFKA_BROKER", "KAFKA_BROKERS"],
  ["MONGODBURL", "MONGODB_URL"],
  ["OTEL_EXPORTER_OTLP_ENDPONT", "OTEL_EXPORTER_OTLP_ENDPOINT"],
])("%s is warned about with the nearest setting %s", (name, nearest) => {
  expect(unknownSettingWarnings([name])).toEqual([
    expect.stringMatching(new RegExp(`^${name} is not a setting; did you mean ${nearest}\\?`)),
  ]);
});

it("a name under one of our prefixes is warned about, also when no setting is near", () => {
  expect(unknownSettingWarnings(["WEBHOOK_COLOUR", "KAFKA_X"])).toEqual([
    "WEBHOOK_COLOUR is not a setting.",
    "KAFKA_X is not a setting.",
  ]);
});

it("settings and common variables of other programs are not warned about", () => {
  const common = `HOME HOSTNAME HOSTTYPE PATH PWD OLDPWD SHELL SHLVL TERM TERM_PROGRAM USER LOGNAME LANG LANGUAGE LC_ALL
    LC_CTYPE TZ MAIL EDITOR PAGER LESS LS_COLORS COLORTERM DISPLAY SSH_AUTH_SOCK SSH_CLIENT XDG_RUNTIME_DIR TMPDIR TEMP TMP
    CI DEBUG NO_COLOR FORCE_COLOR NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_VERSION npm_config_cache npm_lifecycle_event
    npm_package_name INIT_CWD COLUMNS LINES HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy no_proxy JAVA_HOME DOCKER_HOST
    KUBECONFIG KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT_HTTPS KAFKA_PORT KAFKA_SERVICE_HOST
    KAFKA_PORT_9092_TCP_ADDR MONGODB_SERVICE_PORT_MONGODB POD_NAME POD_IP HOST_IP HOSTS PORTS POST SORT GITHUB_TOKEN
    AWS_REGION AWS_SECRET_ACCESS_KEY GOOGLE_APPLICATION_CREDENTIALS INVOCATION_ID JOURNAL_STREAM LISTEN_FDS NOTIFY_SOCKET
    SYSTEMD_EXEC_PID STATE_DIRECTORY LOGS_DIRECTORY OTEL_TRACES_EXPORTER OTEL_LOGS_EXPORTER OTEL_EXPORTER_OTLP_INSECURE
    OTEL_METRIC_EXPORT_TIMEOUT OTEL_EXPORTER_OTLP_TRACES_ENDPOINT SENTRY_DSN DATABASE_URL REDIS_URL PORT_RANGE _`;
  expect(unknownSettingWarnings([...SETTING_NAMES, ...common.split(/\s+/)])).toEqual([]);
});

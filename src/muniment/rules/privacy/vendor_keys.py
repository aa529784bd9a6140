"""Vendor keys: secrets with a vendor's prefix, and keys with a fixed format."""

from muniment.rules.privacy.rule import DetectionRule


def vendor(name: str, needs: str, pattern: str, kind: str = "api_key") -> DetectionRule:
    return DetectionRule(
        id=f"secret.{name}",
        category="secret",
        kind=kind,
        risk="high",
        form=rf"(?<![A-Za-z0-9])(?:{pattern})",
        needs=tuple(needs.split()),
    )


VENDOR_RULES: tuple[DetectionRule, ...] = (
    vendor("age", "age-secret-key-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}", "private_key"),
    vendor("airtable", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    vendor("anthropic", "sk-ant-", r"sk-ant-[\w-]{20,200}"),
    vendor("atlassian", "atatt3", r"ATATT3[\w=-]{40,300}"),
    vendor(
        "aws_key_id", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    ),
    vendor("azure_account_key", "accountkey=", r"AccountKey=[A-Za-z0-9+/]{40,100}={0,2}"),
    vendor("azure_client", "q~", r"[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}"),
    vendor("azure_signature", "sig=", r"sig=[A-Za-z0-9%+/]{40,120}={0,2}"),
    vendor("databricks", "dapi", r"dapi[0-9a-f]{32}"),
    vendor("digitalocean", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    vendor("discord", ".", r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}"),
    vendor("docker", "dckr_pat_", r"dckr_pat_[\w-]{20,60}"),
    vendor("doppler", "dp.", r"dp\.(?:pt|st|ct|sa)\.[\w.-]{40,80}"),
    vendor("figma", "figd_", r"figd_[\w-]{30,60}"),
    vendor("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    vendor("github_fine", "github_pat_", r"github_pat_\w{22,255}"),
    vendor("gitlab", "gl", r"gl(?:pat|dt|rt|cbt|ptt|ft|oas|soat|imt|agent)-[\w.-]{20,300}"),
    vendor("google_api", "aiza", r"AIza[\w-]{35}"),
    vendor("google_client", "gocspx-", r"GOCSPX-[\w-]{20,40}"),
    vendor("google_oauth", "ya29.", r"ya29\.[\w-]{20,500}", "bearer_token"),
    vendor("grafana", "glsa_ glc_", r"gl(?:sa|c)_[\w=+/-]{32,400}"),
    vendor("groq", "gsk_", r"gsk_[A-Za-z0-9]{40,60}"),
    vendor("huggingface", "hf_", r"hf_[A-Za-z0-9]{30,40}"),
    vendor("linear", "lin_api_", r"lin_api_[A-Za-z0-9]{32,48}"),
    vendor("mailchimp", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    vendor("mailgun", "key-", r"key-[0-9a-f]{32}"),
    vendor("newrelic", "nrak-", r"NRAK-[A-Z0-9]{27}"),
    vendor("notion", "ntn_ secret_", r"(?:ntn|secret)_[A-Za-z0-9]{40,50}"),
    vendor("npm", "npm_", r"npm_[A-Za-z0-9]{36}"),
    vendor("openai", "sk-", r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,220}|[A-Za-z0-9]{32,64})"),
    vendor("openrouter", "sk-or-", r"sk-or-(?:v[0-9]-)?[0-9a-f]{32,64}"),
    vendor("perplexity", "pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    vendor("planetscale", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}"),
    vendor("postman", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    vendor("pypi", "pypi-", r"pypi-[\w-]{40,400}"),
    vendor("replicate", "r8_", r"r8_[A-Za-z0-9]{37}"),
    vendor("rubygems", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    vendor("sendgrid", "sg.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    vendor("sentry", "sntrys_ sntryu_", r"sntry[su]_[\w=+/-]{40,300}"),
    vendor("shopify", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    vendor("slack", "xox xapp-", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,250}"),
    vendor(
        "slack_hook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[\w/]{20,120}"
    ),
    vendor("square", "sq0", r"sq0(?:atp|csp|idp)-[\w-]{22,43}"),
    vendor("stripe", "_live_ _test_", r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,200}"),
    vendor("stripe_hook", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}"),
    vendor("telegram", ":aa", r"[0-9]{8,10}:AA[\w-]{33}"),
    vendor("terraform", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}"),
    vendor("twilio", "sk", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    vendor("vault", "hvs. hvb.", r"hv[sb]\.[\w-]{24,300}"),
    vendor("xai", "xai-", r"xai-[A-Za-z0-9]{60,100}"),
    vendor("jwt", "eyj", r"eyJ[\w-]{8,2048}\.eyJ[\w-]{8,4096}\.[\w-]{0,1024}", "jwt"),
    vendor(
        "pem",
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[\s\S]{0,16384}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"|[A-Za-z0-9+/=\\\s]{0,16384})",
        "private_key",
    ),
    vendor(
        "bearer",
        "bearer",
        r"(?i:bearer)\s{1,3}(?=[A-Za-z_.~+/-]{0,64}[0-9])[\w.~+/=-]{16,4096}",
        "bearer_token",
    ),
    vendor(
        "basic_header",
        "authorization",
        r"(?i:authorization)[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?i:basic)\s{1,3}[A-Za-z0-9+/]{6,512}={0,2}",
        "basic_auth",
    ),
    vendor(
        "connection",
        "://",
        r"(?i:postgres|mysql|mariadb|mongodb|redis|amqp|mssql|clickhouse|nats|s?ftp|smtp|ldap)"
        r"[a-z0-9+]{0,16}://[^\s:/@]{0,128}:[^\s@]{1,256}@[^\s/?#\"'<>]{1,256}",
        "connection_string",
    ),
    vendor(
        "url_login",
        "://",
        r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@]{0,128}:[^\s/]{1,256}@[\w.:-]{1,256}",
        "basic_auth",
    ),
)

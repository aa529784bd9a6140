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
    vendor("artifactory", "akcp cmvmdgtu", r"(?:AKCp|cmVmdGtu)[A-Za-z0-9]{50,80}"),
    vendor("asana", "/", r"[12]/[0-9]{14,18}(?:/[0-9]{14,18})?:[0-9a-f]{32}"),
    vendor("atlassian", "atatt3", r"ATATT3[\w=-]{40,300}"),
    vendor(
        "aws_key_id", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    ),
    vendor("azure_account_key", "accountkey=", r"AccountKey=[A-Za-z0-9+/]{40,100}={0,2}"),
    vendor("azure_client", "q~", r"[\w~.-]{3}[0-9]Q~[\w~.-]{31,34}"),
    vendor("azure_signature", "sig=", r"sig=[A-Za-z0-9%+/]{40,120}={0,2}"),
    vendor(
        "braintree", "access_token$", r"access_token\$(?:production|sandbox)\$\w{16}\$[0-9a-f]{32}"
    ),
    vendor("clickup", "pk_", r"pk_[0-9]{6,9}_[A-Z0-9]{32}"),
    vendor("cloudflare", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,160}"),
    vendor("crates", "cio", r"cio(?=[A-Za-z]{0,32}[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    vendor("databricks", "dapi", r"dapi[0-9a-f]{32}"),
    vendor("digitalocean", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    vendor("discord", ".", r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}"),
    vendor(
        "discord_hook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/[0-9]{15,20}/[\w-]{50,90}",
    ),
    vendor("docker", "dckr_pat_", r"dckr_pat_[\w-]{20,60}"),
    vendor("doppler", "dp.", r"dp\.(?:pt|st|ct|sa)\.[\w.-]{40,80}"),
    vendor("dropbox", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{60,300}"),
    vendor("facebook", "eaac", r"EAAC[A-Za-z0-9]{60,300}"),
    vendor("figma", "figd_", r"figd_[\w-]{30,60}"),
    vendor("fly", "fm", r"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=,_]{40,2000}"),
    vendor("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    vendor("github_fine", "github_pat_", r"github_pat_\w{22,255}"),
    vendor("gitlab", "gl", r"gl(?:pat|dt|rt|cbt|ptt|ft|oas|soat|imt|agent)-[\w.-]{20,300}"),
    vendor("gitlab_runner", "gr1348941", r"GR1348941[\w-]{20,40}"),
    vendor("google_api", "aiza", r"AIza[\w-]{35}"),
    vendor("google_client", "gocspx-", r"GOCSPX-[\w-]{20,40}"),
    vendor("google_oauth", "ya29.", r"ya29\.[\w-]{20,500}", "bearer_token"),
    vendor("grafana", "glsa_ glc_", r"gl(?:sa|c)_[\w=+/-]{32,400}"),
    vendor("groq", "gsk_", r"gsk_[A-Za-z0-9]{40,60}"),
    vendor("heroku", "hrku-", r"HRKU-[\w-]{36,80}"),
    vendor("hubspot", "pat-", r"pat-(?:na|eu|ap)[0-9]-[0-9a-f-]{36}"),
    vendor("huggingface", "hf_", r"hf_[A-Za-z0-9]{30,40}"),
    vendor("langfuse", "sk-lf-", r"sk-lf-[0-9a-f-]{36}"),
    vendor("langsmith", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    vendor("linear", "lin_api_", r"lin_api_[A-Za-z0-9]{32,48}"),
    vendor("mailchimp", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    vendor("mailgun", "key-", r"key-[0-9a-f]{32}"),
    vendor("muniment", "mk_", r"mk_[A-Za-z0-9_-]{43}(?![\w-])"),
    vendor("neon", "napi_", r"napi_[a-z0-9]{40,80}"),
    vendor("netlify", "nfp_ nfc_ nfu_", r"nf[pcu]_[A-Za-z0-9]{36,40}"),
    vendor("newrelic", "nrak-", r"NRAK-[A-Z0-9]{27}"),
    vendor("notion", "ntn_ secret_", r"(?:ntn|secret)_[A-Za-z0-9]{40,50}"),
    vendor("npm", "npm_", r"npm_[A-Za-z0-9]{36}"),
    vendor("okta", "00", r"00[A-Za-z][\w-]{39}(?![\w-])"),
    vendor("one_password", "ops_eyj", r"ops_eyJ[\w=-]{100,2000}"),
    vendor("openai", "sk-", r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,220}|[A-Za-z0-9]{32,64})"),
    vendor("openrouter", "sk-or-", r"sk-or-(?:v[0-9]-)?[0-9a-f]{32,64}"),
    vendor("perplexity", "pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    vendor("pinecone", "pcsk_", r"pcsk_[A-Za-z0-9_]{40,90}"),
    vendor("planetscale", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}"),
    vendor("postman", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    vendor("pulumi", "pul-", r"pul-[0-9a-f]{40}"),
    vendor("pypi", "pypi-", r"pypi-[\w-]{40,400}"),
    vendor("render", "rnd_", r"rnd_[A-Za-z0-9]{28,40}"),
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
    vendor("square_access", "eaaa", r"EAAA[\w-]{60}(?![\w-])"),
    vendor("sonar", "squ_ sqp_ sqa_", r"sq[upa]_[0-9a-f]{40}"),
    vendor("stripe", "_live_ _test_", r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,200}"),
    vendor("stripe_hook", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}"),
    vendor("supabase", "sbp_ sb_secret_", r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{24,60})"),
    vendor("telegram", ":aa", r"[0-9]{8,10}:AA[\w-]{33}"),
    vendor("terraform", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}"),
    vendor("twilio", "sk", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    vendor("vault", "hvs. hvb.", r"hv[sb]\.[\w-]{24,300}"),
    vendor(
        "vault_short",
        "s.",
        r"[sb]\.(?=[A-Za-z]{0,24}[0-9])(?=[a-z0-9]{0,24}[A-Z])[A-Za-z0-9]{24}(?![\w.(])",
    ),
    vendor("vercel", "vercel_blob_rw_", r"vercel_blob_rw_\w{30,80}"),
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
        "putty",
        "private-lines",
        r"Private-Lines: [0-9]{1,3}\s{1,2}[A-Za-z0-9+/=\s]{32,16384}",
        "private_key",
    ),
    vendor(
        "password_hash", "$", r"\$(?:2[aby]|apr1|[156y]|argon2id?)\$[\w./$=,+-]{20,200}", "password"
    ),
    vendor(
        "wifi_code",
        "wifi:",
        r"(?i:wifi):(?=[^\n]{0,200}P:)(?:\\.|[^\n;]|;(?!;)){1,200};;",
        "password",
    ),
    vendor(
        "bearer",
        "bearer",
        r"(?i:bearer)\s{1,3}(?=[A-Za-z_.~+/-]{0,64}[0-9])[\w.~+/=-]{16,4096}",
        "bearer_token",
    ),
    vendor(
        "npm_login",
        "_auth",
        r"_auth(?:Token)?\s{0,2}=\s{0,2}[\"']?[A-Za-z0-9+/]{12,512}={0,2}",
        "basic_auth",
    ),
    vendor(
        "curl_login",
        "curl wget http",
        r"(?:curl|wget|https?)\s[^\n]{0,200}?(?:-u|--user|--auth|-a)[\s=]{1,2}[\"']?[^\s:\"'$]{1,64}:(?![\s$])[^\s\"']{4,128}",
        "basic_auth",
    ),
    vendor(
        "wallet_key",
        "wif wallet private bitcoin btc",
        r"[5KLc][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])",
        "private_key",
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

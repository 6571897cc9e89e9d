-- All tables. Frozen: change them with a new migration. `src/database/tables.ts` says what the columns hold. Blank lines
-- separate the statements.
create table master_keys (
  id text not null,
  created_at timestamptz not null,
  constraint master_keys__pkey primary key (id)
);

create table instance (
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  id uuid not null,
  singleton boolean not null default true,
  default_org_id uuid,
  constraint instance__pkey primary key (id),
  constraint instance__one unique (singleton),
  constraint instance__singleton check (singleton)
);

create table orgs (
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  id uuid not null,
  name text not null,
  -- In this collation, the unique index of a name also serves sorting and prefixes.
  name_key text collate "C" not null,
  primary_domain text,
  state text not null default 'active',
  removed_at timestamptz,
  removal_due_at timestamptz,
  erased_at timestamptz,
  erased_users bigint not null default 0,
  constraint orgs__pkey primary key (id),
  constraint orgs__name unique (name_key),
  constraint orgs__state check (state in ('active', 'inactive'))
);

create index orgs__by_creation on orgs (created_at, id);
create index orgs__removal on orgs (removal_due_at) where removal_due_at is not null;

create table org_domains (
  org_id uuid not null,
  name text collate "C" not null,
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  validation_type text,
  token text,
  verified_at timestamptz,
  constraint org_domains__pkey primary key (org_id, name),
  constraint org_domains__org foreign key (org_id) references orgs (id) on delete cascade,
  constraint org_domains__validation_type check (validation_type in ('dns', 'http'))
);

-- A verified domain belongs to one organization.
create unique index org_domains__verified on org_domains (name) where verified_at is not null;

create table login_policies (
  owner_id uuid not null,
  settings jsonb not null,
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint login_policies__pkey primary key (owner_id)
);

create table users (
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  user_name text not null,
  user_name_key text collate "C" not null,
  first_name text,
  last_name text,
  nick_name text,
  display_name text,
  preferred_language text,
  gender smallint,
  email text,
  email_verified boolean not null default false,
  phone text,
  phone_verified boolean not null default false,
  password_hash text,
  password_change_required boolean not null default false,
  otp_code bytea,
  otp_code_key text,
  state text not null default 'active',
  initialized boolean not null default true,
  password_changed_at timestamptz,
  otp_last_step bigint,
  passkey_declined_at timestamptz,
  sessions_ended_sequence bigint not null default 0,
  description text,
  last_signed_in_at timestamptz,
  second_factor_required boolean not null default false,
  constraint users__pkey primary key (org_id, id),
  constraint users__user_name unique (org_id, user_name_key),
  constraint users__org foreign key (org_id) references orgs (id),
  constraint users__otp_code_key foreign key (otp_code_key) references master_keys (id),
  constraint users__human check (
    kind <> 'human'
    or first_name is not null and last_name is not null and display_name is not null and gender is not null
      and email is not null
  ),
  constraint users__kind check (kind in ('human', 'machine')),
  constraint users__otp_code check ((otp_code is null) = (otp_code_key is null)),
  constraint users__state check (state in ('active', 'inactive', 'locked'))
)
-- If the new version of a row fits into the page of the old one, and no indexed column has changed, PostgreSQL adds
-- nothing to the indexes. The first change of a phone number then takes it 0.8 × the CPU time.
with (fillfactor = 90);

-- The expressions of `src/users/read/user-columns.ts`.
create index users__by_creation on users (org_id, created_at, id);
create index users__by_display_name on users
  (org_id, replace(lower(coalesce(display_name, '')), 'ς', 'σ') collate "C", id);
create index users__by_email on users (org_id, replace(lower(coalesce(email, '')), 'ς', 'σ') collate "C", id);
create index users__by_last_name on users (org_id, replace(lower(coalesce(last_name, '')), 'ς', 'σ') collate "C", id);
-- Tokens name a user by its id alone (the claim `sub`).
create unique index users__id on users (id);

-- An index for parts of texts, if the extensions are there and may be created. Without it, such a search reads all
-- users of the organization. New entries are merged into it every 1 MB: with 256 kB, an import of 10 users takes
-- PostgreSQL 5 to 10 % more CPU time; with the default, 4 MB, a merge takes 30 ms instead of 14 ms.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index users__trigrams on users using gin (
    org_id,
    replace(lower(
      user_name_key || E'\n' || coalesce(first_name, '') || E'\n' || coalesce(last_name, '') || E'\n'
        || coalesce(nick_name, '') || E'\n' || coalesce(display_name, '') || E'\n' || coalesce(email, '')
    ), 'ς', 'σ') gin_trgm_ops
  ) with (gin_pending_list_limit = 1024);
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'users are searched without an index of trigrams';
end $$;

create table members (
  user_org_id uuid not null,
  user_id uuid not null,
  scope_id uuid not null,
  role text not null,
  created_at timestamptz not null,
  sequence bigint not null,
  changed_at timestamptz not null,
  constraint members__pkey primary key (user_org_id, user_id, scope_id, role),
  constraint members__user foreign key (user_org_id, user_id) references users (org_id, id) on delete cascade
);

create index members__of_scope on members (scope_id, created_at, user_id);

create table tokens (
  id uuid not null,
  org_id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  last_four text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint tokens__pkey primary key (id),
  constraint tokens__hash unique (hash),
  constraint tokens__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create index tokens__ended on tokens (least(revoked_at, expires_at))
  where revoked_at is not null or expires_at is not null;
create index tokens__of_user on tokens (org_id, user_id);

-- Find users by their numbers. An index of the numbers in `users` would make a change of a number write to every index
-- of the table.
create table verified_phones (
  org_id uuid not null,
  user_id uuid not null,
  phone text collate "C" not null,
  constraint verified_phones__pkey primary key (org_id, user_id),
  constraint verified_phones__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create index verified_phones__phone on verified_phones (org_id, phone);

create table unverified_phones (
  org_id uuid not null,
  user_id uuid not null,
  phone text collate "C" not null,
  constraint unverified_phones__pkey primary key (org_id, user_id),
  constraint unverified_phones__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create index unverified_phones__phone on unverified_phones (org_id, phone);

create table user_metadata (
  org_id uuid not null,
  user_id uuid not null,
  key text collate "C" not null,
  value bytea not null,
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint user_metadata__pkey primary key (org_id, user_id, key),
  constraint user_metadata__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

-- A value may be too long for an index.
create index user_metadata__value on user_metadata (org_id, key, sha256(value));
create unique index user_metadata__external_id on user_metadata (org_id, sha256(value)) where key = 'external_id';

-- Unique across organizations, because a token does not name the organization. So it cannot be partitioned.
create table user_subjects (
  user_id uuid not null,
  org_id uuid not null,
  subject text collate "C" not null,
  constraint user_subjects__pkey primary key (user_id),
  constraint user_subjects__subject unique (subject),
  constraint user_subjects__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create table passkeys (
  org_id uuid not null,
  id text not null,
  user_id uuid not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  aaguid uuid not null,
  device_type text not null,
  backed_up boolean not null,
  created_at timestamptz not null,
  name text not null default '',
  last_used_at timestamptz,
  user_handle bytea,
  constraint passkeys__pkey primary key (org_id, id),
  -- A browser identifies a credential by its id only.
  constraint passkeys__id unique (id),
  constraint passkeys__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create index passkeys__of_user on passkeys (org_id, user_id);

create table recovery_codes (
  org_id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  created_at timestamptz not null,
  constraint recovery_codes__pkey primary key (org_id, user_id, hash),
  constraint recovery_codes__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create table idps (
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  owner_id uuid not null,
  id uuid not null,
  name text not null,
  styling_type smallint not null,
  client_id text not null,
  client_secret bytea not null,
  client_secret_key text not null,
  issuer text not null,
  scopes text[] not null,
  display_name_mapping smallint not null,
  username_mapping smallint not null,
  auto_register boolean not null,
  state text not null default 'active',
  federated_logout_enabled boolean not null default false,
  kind text not null default 'oidc',
  config jsonb not null default '{"usePkce": true, "isIdTokenMapping": false}',
  is_linking_allowed boolean not null default true,
  is_creation_allowed boolean not null default true,
  is_auto_update boolean not null default false,
  auto_linking smallint not null default 0,
  constraint idps__pkey primary key (owner_id, id),
  constraint idps__client_secret_key foreign key (client_secret_key) references master_keys (id),
  constraint idps__state check (state in ('active', 'inactive'))
);

create index idps__by_creation on idps (owner_id, created_at, id);
create index idps__by_name on idps (owner_id, replace(lower(name), 'ς', 'σ') collate "C", id);

create table user_idp_links (
  org_id uuid not null,
  idp_id uuid not null,
  external_user_id text not null,
  idp_owner_id uuid not null,
  user_id uuid not null,
  display_name text not null,
  created_at timestamptz not null,
  constraint user_idp_links__pkey primary key (org_id, idp_id, external_user_id),
  constraint user_idp_links__idp foreign key (idp_owner_id, idp_id) references idps (owner_id, id) on delete cascade,
  constraint user_idp_links__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create index user_idp_links__of_idp on user_idp_links (idp_owner_id, idp_id);
create index user_idp_links__of_user on user_idp_links (org_id, user_id);

-- One attempt of a sign-in at a time, so that nobody can add any number of rows.
create table idp_attempts (
  sign_in_hash bytea not null,
  state_hash bytea not null,
  browser_hash bytea not null,
  idp_owner_id uuid not null,
  idp_id uuid not null,
  remember boolean not null,
  expires_at timestamptz not null,
  response text,
  origin text,
  constraint idp_attempts__pkey primary key (sign_in_hash),
  constraint idp_attempts__idp foreign key (idp_owner_id, idp_id) references idps (owner_id, id) on delete cascade
);

create index idp_attempts__expires_at on idp_attempts (expires_at);
create index idp_attempts__of_idp on idp_attempts (idp_owner_id, idp_id);
create index idp_attempts__state on idp_attempts (state_hash) where origin is not null;

create table apps (
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  owner_id uuid not null,
  id uuid not null,
  name text not null,
  state text not null default 'active',
  type text not null,
  auth_method text not null,
  secret_hash bytea,
  grant_types text[] not null,
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null,
  additional_origins text[] not null,
  back_channel_logout_uri text,
  access_token_type text not null,
  dev_mode boolean not null,
  api_access boolean not null default false,
  jwks text,
  jwks_uri text,
  -- Without a foreign key: an application outlives its user, and gets no tokens without one.
  service_user_id uuid,
  roles text[] not null default '{}',
  metadata_claims text[] not null default '{}',
  id_token_signed_response_alg text not null default 'RS256',
  requires_par boolean not null default false,
  dpop_bound_access_tokens boolean not null default false,
  id_token_userinfo_assertion boolean not null default false,
  requires_pkce boolean not null default true,
  constraint apps__pkey primary key (owner_id, id),
  constraint apps__id unique (id),
  constraint apps__access_token_type check (access_token_type in ('opaque', 'jwt')),
  constraint apps__auth_method check (auth_method in ('basic', 'post', 'none', 'private_key_jwt')),
  constraint apps__id_token_signed_response_alg
    check (id_token_signed_response_alg in ('RS256', 'ES256', 'EdDSA', 'PS256')),
  constraint apps__keys check (auth_method <> 'private_key_jwt' or (jwks is null) <> (jwks_uri is null)),
  constraint apps__secret check ((auth_method in ('none', 'private_key_jwt')) = (secret_hash is null)),
  constraint apps__service check (type <> 'service' or service_user_id is not null),
  constraint apps__state check (state in ('active', 'inactive')),
  constraint apps__type check (type in ('web', 'spa', 'native', 'service'))
);

-- The identifier is unique in the instance: all organizations have one issuer, and an API that validates tokens by issuer
-- and audience (RFC 9068, section 4) must not accept those that another organization issues for an API of the same name.
create table apis (
  owner_id uuid not null,
  id uuid not null,
  name text not null,
  identifier text collate "C" not null,
  scopes text[] not null,
  introspector_app_ids uuid[] not null,
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint apis__pkey primary key (owner_id, id),
  constraint apis__identifier unique (identifier),
  constraint apis__org foreign key (owner_id) references orgs (id) on delete cascade
);

create table user_app_roles (
  org_id uuid not null,
  user_id uuid not null,
  app_id uuid not null,
  role text collate "C" not null,
  sequence bigint not null,
  created_at timestamptz not null,
  constraint user_app_roles__pkey primary key (org_id, user_id, app_id, role),
  constraint user_app_roles__app foreign key (org_id, app_id) references apps (owner_id, id) on delete cascade,
  constraint user_app_roles__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade
);

create index user_app_roles__app_id on user_app_roles (org_id, app_id, user_id, role);

create table oidc_artifacts (
  kind text not null,
  key bytea not null,
  payload jsonb not null,
  user_id uuid,
  client_id text,
  grant_key bytea,
  session_uid text,
  user_code_key bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  constraint oidc_artifacts__pkey primary key (kind, key)
);

create index oidc_artifacts__client_id on oidc_artifacts (client_id) where client_id is not null;
create index oidc_artifacts__expires_at on oidc_artifacts (expires_at);
create index oidc_artifacts__grant_key on oidc_artifacts (grant_key) where grant_key is not null;
create index oidc_artifacts__session_uid on oidc_artifacts (session_uid) where session_uid is not null;
create index oidc_artifacts__user_code_key on oidc_artifacts (user_code_key) where user_code_key is not null;
create index oidc_artifacts__user_id on oidc_artifacts (user_id) where user_id is not null;

create table signing_keys (
  -- So that the key is rotated like other encrypted columns.
  instance_id uuid not null,
  id uuid not null,
  algorithm text not null,
  private_jwk bytea not null,
  private_jwk_key text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  constraint signing_keys__pkey primary key (instance_id, id),
  constraint signing_keys__private_jwk_key foreign key (private_jwk_key) references master_keys (id),
  constraint signing_keys__algorithm check (algorithm in ('RS256', 'ES256', 'EdDSA', 'PS256'))
);

create table codes (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  secret_hash bytea not null,
  digits_hash bytea,
  digits_key text,
  created_at timestamptz not null,
  expires_at timestamptz,
  used_at timestamptz,
  recipient text,
  sequence bigint not null default 0,
  attempts smallint not null default 0,
  challenge text,
  constraint codes__pkey primary key (org_id, id),
  -- A link contains only the code's id.
  constraint codes__id unique (id),
  constraint codes__digits_key foreign key (digits_key) references master_keys (id),
  constraint codes__user foreign key (org_id, user_id) references users (org_id, id) on delete cascade,
  constraint codes__digits check ((digits_hash is null) = (digits_key is null)),
  constraint codes__kind check (kind in ('initialization', 'email', 'email-change', 'phone', 'passkey', 'password'))
);

-- Partial indexes: their size depends on what has ended, and what has not ended costs nothing.
create index codes__ended on codes (least(used_at, expires_at)) where used_at is not null or expires_at is not null;
create index codes__of_user on codes (org_id, user_id, kind);

create table messages (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  code_id uuid,
  channel text not null,
  recipient text not null,
  content bytea,
  content_key text,
  created_at timestamptz not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  ended_at timestamptz,
  last_error text,
  notice text,
  by_import boolean not null default false,
  constraint messages__pkey primary key (org_id, id),
  constraint messages__code foreign key (org_id, code_id) references codes (org_id, id) on delete cascade,
  constraint messages__content_key foreign key (content_key) references master_keys (id),
  constraint messages__channel check (channel in ('email', 'sms')),
  constraint messages__code_or_notice check (code_id is not null or notice is not null),
  constraint messages__content check ((content is null) = (content_key is null)),
  constraint messages__state check (state in ('waiting', 'sent', 'failed', 'expired')),
  constraint messages__waits check ((state = 'waiting') = (next_attempt_at is not null))
);

-- Partial indexes: their size depends on the messages that wait, not on those that were sent.
create index messages__due on messages (channel, next_attempt_at) where next_attempt_at is not null;
create index messages__ended on messages (ended_at) where ended_at is not null;
create index messages__first_attempts on messages (channel, org_id, by_import, next_attempt_at)
  where next_attempt_at is not null and attempts = 0;
create index messages__notices on messages (org_id, user_id, notice, created_at) where notice is not null;
create index messages__of_code on messages (org_id, code_id);
create index messages__retries on messages (channel, by_import, next_attempt_at)
  where next_attempt_at is not null and attempts > 0;
create index messages__unsent on messages (org_id, state, id) where state <> 'sent';
create index messages__without_code on messages (org_id, user_id) where code_id is null;

create table brandings (
  owner_id uuid not null,
  id uuid not null,
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  draft jsonb,
  active jsonb,
  texts jsonb not null default '{}',
  page_texts jsonb not null default '{}',
  active_page_texts jsonb not null default '{}',
  constraint brandings__pkey primary key (owner_id)
);

create table branding_images (
  owner_id uuid not null,
  hash text not null,
  data bytea not null,
  created_at timestamptz not null,
  constraint branding_images__pkey primary key (owner_id, hash)
);

-- PNG files are compressed already.
alter table branding_images alter data set storage external;

create index branding_images__hash on branding_images (hash);

create table webhooks (
  owner_id uuid not null,
  id uuid not null,
  slot smallint not null,
  name text not null,
  url text not null,
  event_types text[] not null,
  includes_payload boolean not null,
  state text not null default 'active',
  position bigint not null,
  key_id uuid not null,
  previous_key_id uuid,
  previous_key_until timestamptz,
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint webhooks__pkey primary key (owner_id, id),
  constraint webhooks__slot unique (owner_id, slot),
  constraint webhooks__org foreign key (owner_id) references orgs (id) on delete cascade,
  constraint webhooks__state check (state in ('active', 'inactive'))
);

create table webhook_keys (
  owner_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  secret bytea not null,
  secret_key text not null,
  constraint webhook_keys__pkey primary key (owner_id, id),
  constraint webhook_keys__webhook foreign key (owner_id, webhook_id)
    references webhooks (owner_id, id) on delete cascade
);

create index webhook_keys__webhook_id on webhook_keys (owner_id, webhook_id);

-- Without a foreign key to the webhook, which can have more deliveries than one statement should delete.
create table webhook_deliveries (
  owner_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  position bigint not null,
  aggregate_id uuid not null,
  sequence bigint not null,
  event_type text not null,
  event_created_at timestamptz not null,
  created_at timestamptz not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  ended_at timestamptz,
  last_error text,
  constraint webhook_deliveries__pkey primary key (owner_id, id),
  constraint webhook_deliveries__event unique (owner_id, webhook_id, position),
  constraint webhook_deliveries__state check (state in ('waiting', 'sent', 'failed'))
);

create index webhook_deliveries__created_at on webhook_deliveries (created_at);
create index webhook_deliveries__due on webhook_deliveries (owner_id, webhook_id, next_attempt_at)
  where state = 'waiting';
create index webhook_deliveries__object on webhook_deliveries (owner_id, webhook_id, aggregate_id, position)
  where state = 'waiting';

create table password_hooks (
  owner_id uuid not null,
  id uuid not null,
  url text not null,
  secret bytea not null,
  secret_key text not null,
  sequence bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint password_hooks__pkey primary key (owner_id),
  constraint password_hooks__org foreign key (owner_id) references orgs (id) on delete cascade
);

create table events (
  owner_id uuid not null,
  aggregate_id uuid not null,
  sequence bigint not null,
  position bigint not null generated always as identity,
  type text not null,
  editor_id uuid,
  created_at timestamptz not null,
  payload jsonb,
  constraint events__pkey primary key (owner_id, aggregate_id, sequence),
  constraint events__position unique (position)
);

create index events__aggregate_position on events (aggregate_id, position);
create index events__owner_position on events (owner_id, position);

-- Without a foreign key to the user, because unknown names count under the nil id.
create table failed_sign_ins (
  org_id uuid not null,
  user_id uuid not null,
  hour timestamptz not null,
  kind text not null,
  network text not null,
  browser text not null,
  count bigint not null,
  constraint failed_sign_ins__pkey primary key (org_id, user_id, hour, kind, network, browser),
  constraint failed_sign_ins__kind check (kind in ('password', 'one-time-code', 'passkey'))
);

create index failed_sign_ins__hour on failed_sign_ins (hour, org_id);

-- The table of rate-limiter-flexible. `expire` is in milliseconds since the epoch.
create table rate_limits (
  key text not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey primary key (key)
);

create table idempotency_keys (
  caller_id uuid not null,
  key_hash bytea not null,
  request_mac bytea not null,
  answer bytea,
  master_key text not null,
  sequence bigint not null,
  creation_date timestamptz not null,
  change_date timestamptz not null,
  expires_at timestamptz not null,
  constraint idempotency_keys__pkey primary key (caller_id, key_hash),
  constraint idempotency_keys__master_key foreign key (master_key) references master_keys (id)
);

create index idempotency_keys__expiry on idempotency_keys (expires_at);

-- See `endSessions` in src/users/end-sessions.ts. Each DELETE has a snapshot of its own, so it also finds what was stored
-- by the statements that the one before it has waited for. A sign-in that is completed deletes its row, so that the first
-- DELETE may find nothing although it has waited.
create function end_sessions(of_user uuid, kept_session text, kept_sign_in bytea)
  returns table (kind text, user_id uuid, payload jsonb) language plpgsql rows 10 as $$
declare
  is_repeated boolean := false;
begin
  loop
    return query delete from oidc_artifacts as artifact
      where artifact.user_id = of_user
        and (artifact.kind <> 'Interaction' or artifact.key is distinct from kept_sign_in)
        and (kept_session is null
          or (artifact.kind <> 'Grant' or artifact.session_uid is not null)
            and artifact.session_uid is distinct from kept_session)
      returning artifact.kind, artifact.user_id, artifact.payload;
    exit when is_repeated and not found;
    is_repeated := true;
  end loop;
end $$;

-- See `linksOf` in src/idps/linked-users.ts. The query of a volatile function has a snapshot of its own, so it also finds
-- the links of statements that the caller has waited for when it locked the provider.
create function idp_links(of_owner uuid, of_idp uuid, may_change_members boolean, may_change_all_members boolean)
  returns table (has_links boolean, is_protected boolean) language plpgsql rows 1 as $$
begin
  return query select
    exists (
      select from user_idp_links as link where link.idp_owner_id = of_owner and link.idp_id = of_idp),
    not (may_change_members and may_change_all_members) and exists (
      select from members
        join user_idp_links as link on link.org_id = members.user_org_id and link.user_id = members.user_id
      where link.idp_owner_id = of_owner and link.idp_id = of_idp
        and not case when members.scope_id = link.org_id then may_change_members else may_change_all_members end);
end $$;

-- An active owner of the instance in an active organization. The triggers lock the instance first, and then see what
-- others have committed: two statements that each remove another owner would both find one left in their snapshots. A
-- role can also end with its user or organization.
create function has_active_owner() returns boolean language plpgsql as $$
begin
  return exists (
    select from members
    where role = 'INSTANCE_OWNER'
      and (select state from users where users.org_id = user_org_id and users.id = user_id) = 'active'
      and (select state from orgs where orgs.id = user_org_id) = 'active');
end $$;

create function keep_last_owner() returns trigger language plpgsql as $$
begin
  perform from instance where id = old.scope_id for no key update;
  if found and not has_active_owner() then
    raise exception using errcode = 'check_violation', constraint = 'members__last_owner',
      table = 'members', message = 'the instance has no other active owner';
  end if;
  return null;
end $$;

create trigger members__last_owner after delete on members
  for each row when (old.role = 'INSTANCE_OWNER') execute function keep_last_owner();

create function keep_last_active_user() returns trigger language plpgsql as $$
begin
  if not exists (
    select from members where user_org_id = old.org_id and user_id = old.id and role = 'INSTANCE_OWNER'
  ) then
    return null;
  end if;
  perform from instance for no key update;
  if not has_active_owner() then
    raise exception using errcode = 'check_violation', constraint = 'members__last_owner',
      table = 'members', message = 'the instance has no other active owner';
  end if;
  return null;
end $$;

create trigger users__last_owner after update of state on users
  for each row when (old.state = 'active' and new.state <> 'active') execute function keep_last_active_user();

create function keep_last_active_owner() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and not exists (
    select from members where user_org_id = old.id and role = 'INSTANCE_OWNER'
  ) then
    return null;
  end if;
  perform from instance for no key update;
  if not has_active_owner() then
    raise exception using errcode = 'check_violation', constraint = 'orgs__last_owner',
      table = 'orgs', message = 'no other organization has an active owner of the instance';
  end if;
  return null;
end $$;

create trigger orgs__last_owner after update of state on orgs
  for each row when (old.state = 'active' and new.state <> 'active') execute function keep_last_active_owner();

create trigger orgs__last_owner_removed after delete on orgs for each row execute function keep_last_active_owner();

-- A removed organization keeps its row until everything that belongs to it is deleted. A call that was authorized before
-- the removal may still run a statement. Every change of an organization increments its sequence, except those of the
-- removal.
create function raise_org_removed() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = 'orgs__removed',
    table = 'orgs', message = 'the organization is removed';
end $$;

create trigger orgs__removed before update on orgs
  for each row when (old.removed_at is not null and new.sequence <> old.sequence) execute function raise_org_removed();

-- The owner of these rows may be the instance, so they have no foreign key. The lock of the organization waits for its
-- removal, and the removal for it.
create function refuse_removed_owner() returns trigger language plpgsql as $$
declare
  removal timestamptz;
begin
  select removed_at into removal from orgs where id = new.owner_id for key share;
  if removal is not null then
    raise exception using errcode = 'check_violation', constraint = 'orgs__removed',
      table = 'orgs', message = 'the organization is removed';
  end if;
  return new;
end $$;

create trigger apps__owner before insert on apps for each row execute function refuse_removed_owner();

create trigger idps__owner before insert on idps for each row execute function refuse_removed_owner();

create trigger brandings__owner before insert on brandings for each row execute function refuse_removed_owner();

create trigger branding_images__owner before insert on branding_images for each row execute function refuse_removed_owner();

-- A trigger rather than a part of the statements that store numbers, because there are several.
create function store_unverified_phone() returns trigger language plpgsql as $$
begin
  if new.phone is not null and not new.phone_verified then
    insert into unverified_phones (org_id, user_id, phone) values (new.org_id, new.id, new.phone)
      on conflict (org_id, user_id) do update set phone = excluded.phone;
  else
    delete from unverified_phones where org_id = new.org_id and user_id = new.id;
  end if;
  return null;
end $$;

create trigger users__new_phone after insert on users
  for each row when (new.phone is not null and not new.phone_verified) execute function store_unverified_phone();

create trigger users__phone after update of phone, phone_verified on users
  for each row when (old.phone is not null and not old.phone_verified or new.phone is not null and not new.phone_verified)
  execute function store_unverified_phone();

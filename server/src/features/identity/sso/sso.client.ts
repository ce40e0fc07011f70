import * as oidc from 'openid-client'

/** How the provider is reached; the only file that speaks OpenID Connect. */
export type Reach = { issuer: string; clientId: string; clientSecret: string; scope: string }
/** What stays here while the person is away at the provider. */
export type Journey = { state: string; nonce: string; codeVerifier: string }
export type Claims = Readonly<Record<string, unknown>> & { sub: string }

const TIMEOUT_S = 10
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @throws Error when the provider does not answer as one */
export async function discover({ issuer, clientId, clientSecret }: Omit<Reach, 'scope'>): Promise<oidc.Configuration> {
  const address = new URL(issuer)
  // Over plain http anybody on the way could sign in as anybody: only on this very machine, for trying it out.
  const execute = address.protocol === 'http:' && loopback.has(address.hostname) ? [oidc.allowInsecureRequests] : []
  return oidc.discovery(address, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_S })
}

/** Authorisation code with PKCE. @returns where the browser goes, and what is needed when it comes back */
export async function begin(reach: Reach, redirectUri: string): Promise<{ address: string; journey: Journey }> {
  const configuration = await discover(reach)
  const journey = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  }
  const address = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: reach.scope,
    state: journey.state,
    nonce: journey.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(journey.codeVerifier),
    code_challenge_method: 'S256',
  })
  return { address: address.href, journey }
}

/**
 * What the provider says of the person: the ID token's claims, and those of its userinfo.
 * @param returned the address that the browser was sent back to, with code and state
 * @throws Error when anything of it is not as it must be
 */
export async function complete(reach: Reach, returned: URL, journey: Journey): Promise<Claims> {
  const configuration = await discover(reach)
  const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
    pkceCodeVerifier: journey.codeVerifier,
    expectedState: journey.state,
    expectedNonce: journey.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider sent no ID token')
  if (!configuration.serverMetadata().userinfo_endpoint) return claims
  const more = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  return { ...more, ...claims }
}

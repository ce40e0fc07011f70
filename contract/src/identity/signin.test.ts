import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AuthMessage,
  authMessage,
  b64u,
  checkServerSignature,
  clientProof,
  defaultKdf,
  deriveKeys,
  equalBytes,
  fromB64u,
  isKdfStrongEnough,
  type Kdf,
  keysFrom,
  kdfText,
  lp,
  normaliseAccount,
  parsePasswordField,
  parseVerifier,
  passwordBytes,
  passwordField,
  serverSignature,
  type Verifier,
  verifierText,
  verifyProof,
} from './signin.ts'

/** Made with libsodium and Python's hmac, not with the code under test. Accounts and passwords are as typed. */
const vectors = [
  {
    account: '张伟',
    password: '中文密码 2024!',
    origin: 'https://aisle.example',
    cid: '-OT_VHMEdp1oFAhXprezXA',
    checkCode: 'K7Q2',
    cnonce: 'PoC3X8MP2xcAFYlt7_-F5Q',
    snonce: 'EG2ZM5oz9n-N_CyHpcZOiw',
    salt: 'K8mQBZRzRI5uvUQqoWv6oA',
    storedKey: 'e11n-dw22i-S3EQ6Tpt-6yCdaLqJHEYfjaO9GNFRkzM',
    serverKey: 'fUfFT_64I8j5-jybImfDVFPkO75GlC3rhnvMXb6RpFM',
    amHash: '991b9dd8b1b2ea8efaf9dc4936f0220b1b4d1aef45a4084dec5676fd8aa048b3',
    proof: 'KtLHpaL3QIOfAItyhND4cx9mlblrHdMjsF9XkWQMLzM',
    serverSig: 'kGdaEMeZPllY0SylpXQkR-R90QtQgDXn_JcyXhekNyo',
  },
  {
    account: '  E\u0301lodie@Exemple.fr ',
    password: 'cafe\u0301 cr\u00e8me \u2116 7',
    origin: 'https://aisle.example:8443',
    cid: 'PctsfiPvTeM2g4rJaVPZpQ',
    checkCode: 'k7q2',
    cnonce: 'd3x3Ff4juDyIGraIdOMcDQ',
    snonce: 'vYjbi8zzLRtAJTkfHd5xKA',
    salt: '3JDPB96QfMxkY2zt2zjlUg',
    storedKey: 'RiuDKwvtIKzH9AEkqPCmnjUosY3dzOXHHjFta1tTksc',
    serverKey: 'F11O1zwzT1e8ZsxOsNLeH1C2oIWO7GFb0JFe90KfEik',
    amHash: 'ec0958a9cc91ec587be67d22d60efb70ef869c5bdc3103dbae87b90666ad7947',
    proof: 'PM5aSdvYD5fogDIoq_4lU9rxKGju8wgGpF16bpWCNKA',
    serverSig: 'WCxFsbAXUJ_l0RhtZoJJWiViPmkJCY-LOyjWMcjSyXA',
  },
  {
    account: '김철수'.normalize('NFD'),
    password: `${'비밀번호'.normalize('NFD')}-K7`,
    origin: 'http://127.0.0.1:3000',
    cid: '8ilos9_gLJ-P1YbbHfbIFA',
    checkCode: 'WXYZ',
    cnonce: 'oAEcB5eUIJHOOmt1VRRKOw',
    snonce: 'B4_W9Om_l96TAi623tcjLg',
    salt: '28RXmuKzqykyE_QruFJwbg',
    storedKey: 'd6C_gUy0DuhO5AbekQ7yA_iN9DLxljGOrIKZqZ1QCS4',
    serverKey: 'rmB4jXYMncywDjl9wcFxakSTooeeDYgL7dGSO0UxRlE',
    amHash: '37b76df2a37f94d6c447377999cff4c508f69debfa5a41d9f6a1282b45aba3bd',
    proof: 'hyLm8K6eUm_o7IbEucT4wssDqtpRWsSK5RRGkF9ZDYY',
    serverSig: 'yzuSHcEn4qKqp23Pw1lmWCAY4UQVam9mpwK4SlBOWoI',
  },
] as const

const [vector] = vectors
const fieldsOf = (v: (typeof vectors)[number]): AuthMessage => ({ ...v, kdf: defaultKdf })
/** The algebra is the same whatever made the salted password, so the properties need no argon2. */
const keys = keysFrom(sha256(utf8ToBytes('a salted password')))
const fields = fieldsOf(vector)

const runs = { numRuns: 5_000, seed: Number(process.env.SEED ?? 1) }

describe('vectors', () => {
  test('RFC 7677 §3: proof and server signature of user "user", password "pencil"', () => {
    const salt = Uint8Array.from(Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))
    const rfcKeys = keysFrom(pbkdf2(sha256, passwordBytes('pencil'), salt, { c: 4096, dkLen: 32 }))
    const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0'
    const rfcMessage = utf8ToBytes(
      `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=${nonce}`,
    )
    const rfcProof = clientProof(rfcKeys, rfcMessage)
    expect(Buffer.from(rfcProof).toString('base64')).toBe('dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=')
    expect(verifyProof(rfcKeys.storedKey, rfcMessage, rfcProof)).toBe(true)
    const rfcSig = serverSignature(rfcKeys.serverKey, rfcMessage)
    expect(Buffer.from(rfcSig).toString('base64')).toBe('6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')
    expect(checkServerSignature(rfcKeys.serverKey, rfcMessage, rfcSig)).toBe(true)
  })

  test.each(vectors)('vend-login v1: $account from $origin', (v) => {
    const derived = deriveKeys(v.password, fromB64u(v.salt), defaultKdf)
    expect([b64u(derived.storedKey), b64u(derived.serverKey)]).toEqual([v.storedKey, v.serverKey])

    const message = authMessage(fieldsOf(v))
    expect(bytesToHex(sha256(message))).toBe(v.amHash)
    expect(passwordField(v.cid, clientProof(derived, message))).toBe(`v1.${v.cid}.${v.proof}`)

    const sent = parsePasswordField(`v1.${v.cid}.${v.proof}`)
    expect(sent?.cid).toBe(v.cid)
    expect(verifyProof(fromB64u(v.storedKey), message, sent?.proof ?? new Uint8Array())).toBe(true)
    expect(b64u(serverSignature(fromB64u(v.serverKey), message))).toBe(v.serverSig)
    expect(checkServerSignature(derived.serverKey, message, fromB64u(v.serverSig))).toBe(true)
  })

  test('another password or another salt gives other keys', () => {
    const other = deriveKeys('中文密码 2024?', fromB64u(vector.salt), defaultKdf)
    const salted = deriveKeys(vector.password, fromB64u(vectors[1].salt), defaultKdf)
    const message = authMessage(fields)
    expect(verifyProof(fromB64u(vector.storedKey), message, clientProof(other, message))).toBe(false)
    expect(verifyProof(fromB64u(vector.storedKey), message, clientProof(salted, message))).toBe(false)
  })
})

describe('account names', () => {
  const names = [
    { language: 'zh', typed: ' 张伟００７\u3000', stored: '张伟007' },
    { language: 'en', typed: '\tＪohn.SMITH ', stored: 'john.smith' },
    { language: 'fr', typed: 'E\u0301lodie-Fran\u0063\u0327oise', stored: '\u00e9lodie-fran\u00e7oise' },
    { language: 'ko', typed: '\u1100\u1175\u11b7\u110e\u1165\u11af\u1109\u116e', stored: '김철수' },
  ]

  test.each(names)('$language: as typed and as stored sign the same message', ({ typed, stored }) => {
    expect(normaliseAccount(typed)).toBe(stored)
    const asTyped = authMessage({ ...fields, account: typed })
    const asStored = authMessage({ ...fields, account: stored })
    expect(b64u(asTyped)).toBe(b64u(asStored))
    expect(verifyProof(keys.storedKey, asStored, clientProof(keys, asTyped))).toBe(true)
  })

  test('a capital without a composed form still meets its small letter', () => {
    expect(normaliseAccount('J\u030c')).toBe('\u01f0')
    expect(normaliseAccount('\u01f0')).toBe('\u01f0')
  })

  test('normalising twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = normaliseAccount(text)
        expect(normaliseAccount(once)).toBe(once)
      }),
      runs,
    )
  })
})

describe('the signed message', () => {
  test('is the label and then each field with its length', () => {
    const small = { origin: 'o', account: 'A', cid: 'c', checkCode: 'k7q2', cnonce: 'n', snonce: 's', salt: 'é' }
    const text = Buffer.from(authMessage({ ...small, kdf: defaultKdf })).toString('latin1')
    const length = (n: number) => `\0\0\0${String.fromCharCode(n)}`
    const parts = [
      `${length(1)}o`,
      `${length(1)}a`,
      `${length(1)}c`,
      `${length(4)}K7Q2`,
      `${length(1)}n`,
      `${length(1)}s`,
    ]
    const tail = [`${length(2)}Ã©`, `${length(18)}argon2id,19456,2,1`]
    expect(text).toBe(['vend-login-v1', ...parts, ...tail].join(''))
  })

  test('lp writes four big-endian bytes of length, of texts and bytes alike', () => {
    expect([...lp('')]).toEqual([0, 0, 0, 0])
    expect([...lp('é')]).toEqual([0, 0, 0, 2, 0xc3, 0xa9])
    expect([...lp(new Uint8Array(0x10203)).subarray(0, 4)]).toEqual([0, 1, 2, 3])
  })

  test('a character that moves to the next field changes the message', () => {
    const here = authMessage({ ...fields, cnonce: 'ab', snonce: 'c' })
    const there = authMessage({ ...fields, cnonce: 'a', snonce: 'bc' })
    expect(here.length).toBe(there.length)
    expect(verifyProof(keys.storedKey, there, clientProof(keys, here))).toBe(false)
  })
})

describe('the password field', () => {
  test.each([
    '',
    'pencil',
    'e10adc3949ba59abbe56e057f20f883e',
    `v1.${vector.cid}.`,
    `v1..${vector.proof}`,
    `v0.${vector.cid}.${vector.proof}`,
    `v1.${vector.cid}.${vector.proof}=`,
    `v1.${vector.cid}.${vector.proof}\n`,
    `v1.${vector.cid}.${vector.proof.slice(1)}`,
    `v1.${vector.cid}.${vector.proof}.x`,
    ` v1.${vector.cid}.${vector.proof}`,
    `v1.${'c'.repeat(65)}.${vector.proof}`,
    `v1.张伟.${vector.proof}`,
    `v1.${vector.cid}.${vector.proof.slice(0, -1)}N`,
  ])('%j is not one', (text) => {
    expect(parsePasswordField(text)).toBeNull()
  })

  test('any text parses to null or to what wrote it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^v1\.[\w-]+\.[\w-]{43}$/)), (text) => {
        const parsed = parsePasswordField(text)
        expect(parsed === null || passwordField(parsed.cid, parsed.proof) === text).toBe(true)
      }),
      runs,
    )
  })
})

describe('the verifier text', () => {
  const { salt, storedKey, serverKey } = vector
  const verifier: Verifier = { v: 1, kdf: defaultKdf, salt, storedKey, serverKey }

  test('is the version, the kdf, the salt and the keys', () => {
    const text = `v1.argon2id,19456,2,1.${vector.salt}.${vector.storedKey}.${vector.serverKey}`
    expect(verifierText(verifier)).toBe(text)
    expect(parseVerifier(text)).toEqual(verifier)
  })

  test('comes back as it was', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(b64u)
    const kdf = fc.record({
      a: fc.constant('argon2id' as const),
      m: fc.integer({ min: 19_456, max: 262_144 }),
      t: fc.integer({ min: 2, max: 10 }),
      p: fc.constant(1),
    })
    const any = fc.record({
      v: fc.constant(1 as const),
      kdf,
      salt: bytes(16),
      storedKey: bytes(32),
      serverKey: bytes(32),
    })
    fc.assert(
      fc.property(any, (value) => {
        expect(parseVerifier(verifierText(value))).toEqual(value)
      }),
      runs,
    )
  })

  const good = verifierText(verifier)
  test.each([
    '',
    'pencil',
    passwordField(vector.cid, fromB64u(vector.proof)),
    good.replace('v1.', 'v2.'),
    good.replace('argon2id', 'argon2i'),
    good.replace('19456', '19455'),
    good.replace('19456', '019456'),
    good.replace('19456', '262145'),
    good.replace(',2,1', ',1,1'),
    good.replace(',2,1', ',11,1'),
    good.replace(',2,1', ',2,2'),
    good.replace(vector.salt, vector.salt.slice(1)),
    good.replace(vector.salt, `${vector.salt.slice(0, -1)}B`),
    good.replace(vector.storedKey, `${vector.storedKey.slice(0, -1)}N`),
    good.replace(vector.serverKey, `${vector.serverKey.slice(0, -1)}N`),
    good.replace(vector.serverKey, ''),
    `${good}\n`,
    `${good}.`,
    ` ${good}`,
  ])('%j is not one', (text) => {
    expect(parseVerifier(text)).toBeNull()
  })
})

describe('the kdf', () => {
  test('is written as the message signs it', () => {
    expect(kdfText(defaultKdf)).toBe('argon2id,19456,2,1')
  })

  test.each([
    [19_456, 2, 1, true],
    [19_455, 2, 1, false],
    [19_456, 1, 1, false],
    [47_104, 1, 1, true],
    [47_103, 1, 1, false],
    [47_104, 0, 1, false],
    [262_144, 10, 1, true],
    [262_145, 2, 1, false],
    [19_456, 11, 1, false],
    [19_456, 2, 2, false],
    [19_456, 2, 0, false],
    [19_456.5, 2, 1, false],
    [19_456, 2.5, 1, false],
    [Number.NaN, 2, 1, false],
    [Number.POSITIVE_INFINITY, 2, 1, false],
  ])('m=%d t=%d p=%d is strong enough: %s', (m, t, p, isEnough) => {
    expect(isKdfStrongEnough({ a: 'argon2id', m, t, p })).toBe(isEnough)
  })

  test('of another name from the wire is refused', () => {
    const kdf: Kdf = JSON.parse('{"a":"md5","m":19456,"t":2,"p":1}')
    expect(isKdfStrongEnough(kdf)).toBe(false)
  })

  test('too weak, or a salt of the wrong length, derives no keys', () => {
    expect(() => deriveKeys('pencil', new Uint8Array(16), { ...defaultKdf, m: 8 })).toThrow(RangeError)
    expect(() => deriveKeys('pencil', new Uint8Array(15), defaultKdf)).toThrow(RangeError)
    expect(() => deriveKeys('pencil', new Uint8Array(17), defaultKdf)).toThrow(RangeError)
    expect(() => deriveKeys('', new Uint8Array(16), defaultKdf)).toThrow(RangeError)
  })
})

describe('bytes and texts', () => {
  test('base64url is what Node writes, and reads back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(b64u(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
        expect(equalBytes(fromB64u(b64u(bytes)), bytes)).toBe(true)
      }),
      runs,
    )
  })

  test.each(['A', 'AAAAA', 'AA==', 'A A', ' AA', 'AA\n', 'A+/A', 'AB', 'AAB', 'é', '张伟'])(
    '%j is no base64url',
    (text) => {
      expect(() => fromB64u(text)).toThrow(RangeError)
    },
  )

  test('bytes are equal when the length and every byte are', () => {
    expect(equalBytes(new Uint8Array(), new Uint8Array())).toBe(true)
    expect(equalBytes(keys.storedKey, keys.storedKey.slice())).toBe(true)
    expect(equalBytes(keys.storedKey, keys.storedKey.slice(0, 31))).toBe(false)
    expect(equalBytes(keys.storedKey.slice(0, 31), keys.storedKey)).toBe(false)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(2, 1))).toBe(false)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(0, 2))).toBe(false)
  })

  test('a password has 1 to 256 characters after composition, a sign outside the BMP being one', () => {
    expect(passwordBytes('e\u0301'.repeat(256))).toEqual(utf8ToBytes('é'.repeat(256)))
    expect(passwordBytes('😀'.repeat(256)).length).toBe(1024)
    expect(passwordBytes(' \u2116 ')).toEqual(utf8ToBytes(' \u2116 '))
    expect(() => passwordBytes('')).toThrow(RangeError)
    expect(() => passwordBytes('x'.repeat(257))).toThrow(RangeError)
  })
})

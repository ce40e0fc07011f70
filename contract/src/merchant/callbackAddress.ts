/**
 * Whether an address may be called from our servers: over http or https, without a password in it, and not leading into
 * a private network, this machine, or a cloud's metadata (SSRF). `URL` has already turned 0x7f.1 and 2130706433 into
 * dotted numbers. What a name resolves to is asked with `isPublicIp` again when it is called.
 */
export function isPublicAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, username, password, hostname } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  if (hostname.startsWith('[')) return isPublicIp(hostname.slice(1, -1))
  if (/^[0-9.]+$/.test(hostname)) return isPublicIp(hostname)
  return isPublicName(hostname.replace(/\.$/, '').toLowerCase())
}

const privateEndings = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa', 'test']

/** A name without a dot is one of the own network. */
const isPublicName = (name: string): boolean =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name) && !privateEndings.some((ending) => name.endsWith(`.${ending}`))

/** @param ip as a resolver or `URL` writes it */
export function isPublicIp(ip: string): boolean {
  if (ip.includes(':')) return isPublicIp6(ip.toLowerCase())
  const bytes = ip.split('.').map(Number)
  if (bytes.length !== 4 || bytes.some((byte) => !Number.isInteger(byte) || byte < 0 || byte > 255)) return false
  const number = bytes.reduce((total, byte) => total * 256 + byte, 0)
  return !privateBlocks.some(([base, bits]) => sameBlock(number, base, bits))
}

const block = (text: string): readonly [number, number] => {
  const [base = '', bits = ''] = text.split('/')
  return [base.split('.').reduce((total, byte) => total * 256 + Number(byte), 0), Number(bits)]
}
const sameBlock = (a: number, b: number, bits: number): boolean =>
  Math.floor(a / 2 ** (32 - bits)) === Math.floor(b / 2 ** (32 - bits))

/** IANA's special-purpose blocks that are not reachable from everywhere. */
const privateBlocks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(block)

/** Only global unicast, 2000::/3, without what carries an IPv4 address or documents: 6to4, Teredo and 2001:db8. */
function isPublicIp6(ip: string): boolean {
  const first = Number.parseInt(ip.split(':')[0] || '0', 16)
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false
  const second = Number.parseInt(ip.split(':')[1] || '0', 16)
  return !(first === 0x2001 && (second < 0x200 || second === 0xdb8))
}

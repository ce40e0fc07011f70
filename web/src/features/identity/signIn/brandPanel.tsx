import { useBrand } from '../../../ui/brand/brand'
import { Logo } from '../../../ui/brand/logo'
import { useText } from '../../../ui/text'
import styles from './login.module.css'

/** The left half: who this is, and a machine with its shelves. Nothing here is needed to sign in. */
export function BrandPanel({ isPartner }: { isPartner: boolean }) {
  const t = useText('identity')
  const { logo, name } = useBrand()
  return (
    <section className={styles.brand} aria-label={name ?? 'Aisle'}>
      <p className={styles.brandName}>
        {logo ? <img className={styles.brandOwn} src={logo} alt="" /> : <Logo size={30} />} <b>{name ?? 'Aisle'}</b>
        <span>{isPartner ? t('login.partner.product') : t('login.product')}</span>
      </p>
      <div className={styles.brandWords}>
        <p className={styles.brandHeadline}>{t('login.headline')}</p>
        <p className={styles.brandPitch}>{t('login.pitch')}</p>
      </div>
      <Machine />
    </section>
  )
}

const shelves = ['bcbbcb', 'ppxppx', 'xkxkxk', 'cbccbc'] as const

function Machine() {
  return (
    <svg className={styles.brandMachine} viewBox="0 0 360 430" aria-hidden="true" focusable="false">
      <ellipse cx="180" cy="416" rx="150" ry="10" fill="#031638" opacity=".35" />
      <rect x="40" y="10" width="280" height="398" rx="22" fill="#0f3a8f" stroke="#5f92ea" strokeOpacity=".55" />
      <rect x="58" y="30" width="190" height="304" rx="10" fill="#0a2a6b" />
      <rect x="58" y="30" width="190" height="304" rx="10" fill="url(#glass)" />
      <defs>
        <linearGradient id="glass" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#fff" stopOpacity=".16" />
          <stop offset=".5" stopColor="#fff" stopOpacity=".02" />
          <stop offset="1" stopColor="#fff" stopOpacity=".08" />
        </linearGradient>
      </defs>
      {shelves.map((goods, row) => (
        <g key={goods} transform={`translate(70 ${46 + row * 74})`}>
          {[...goods].map((kind, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the shelf never changes.
            <g key={at} transform={`translate(${at * 28} 0)`}>
              <Goods kind={kind} isSold={(row * 5 + at * 3) % 11 === 4} isLit={row === 1 && at === 1} />
            </g>
          ))}
          <rect x="-8" y="58" width="182" height="4" rx="2" fill="#7fb0ff" opacity=".5" />
        </g>
      ))}
      <rect x="264" y="44" width="40" height="52" rx="6" fill="#0a2a6b" />
      <rect x="270" y="52" width="28" height="4" rx="2" fill="#bfe0ff" />
      <rect x="270" y="61" width="18" height="4" rx="2" fill="#7fb0ff" />
      <circle cx="274" cy="82" r="4" fill="#63dba0" />
      {[0, 1, 2, 3, 4, 5, 6, 7, 8].map((key) => (
        <circle
          key={key}
          cx={272 + (key % 3) * 12}
          cy={116 + Math.floor(key / 3) * 12}
          r="3.6"
          fill="#7fb0ff"
          opacity=".7"
        />
      ))}
      <rect
        x="266"
        y="164"
        width="36"
        height="36"
        rx="6"
        fill="none"
        stroke="#7fb0ff"
        strokeOpacity=".7"
        strokeWidth="2"
      />
      <path
        d="M276 190a12 12 0 0 1 0-16M282 188a8 8 0 0 1 0-12M288 185a4 4 0 0 1 0-6"
        stroke="#bfe0ff"
        strokeWidth="2"
        fill="none"
        strokeLinecap="round"
      />
      <rect x="58" y="350" width="190" height="40" rx="8" fill="#061f52" />
      <rect x="72" y="362" width="162" height="16" rx="6" fill="#0f3a8f" />
    </svg>
  )
}

/** Bottle, can, packet of pills, box, cup; a sold place is empty. */
function Goods({ kind, isSold, isLit }: { kind: string; isSold: boolean; isLit: boolean }) {
  if (isSold) return <path d="M2 56h18" stroke="#7fb0ff" strokeOpacity=".35" strokeWidth="2" strokeDasharray="3 3" />
  const fill = isLit ? '#ffc65c' : '#cfe2ff'
  if (kind === 'b')
    return (
      <path d="M8 6h6v9c4 3 5 6 5 10v29a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V25c0-4 1-7 5-10z" fill={fill} opacity=".85" />
    )
  if (kind === 'c') return <rect x="3" y="24" width="16" height="33" rx="4" fill="#7fb0ff" opacity=".9" />
  if (kind === 'p') {
    return (
      <g>
        <rect x="2" y="30" width="19" height="27" rx="2.5" fill={fill} />
        <path d="M11.5 37v12M5.5 43h12" stroke="#1557d6" strokeWidth="3" />
      </g>
    )
  }
  if (kind === 'k') return <path d="M3 30h17l-2.5 27h-12zM2 24h19v5H2z" fill="#9fd0ff" opacity=".9" />
  return <rect x="3" y="20" width="17" height="37" rx="2.5" fill="#e8f1ff" opacity=".8" />
}

import type { ReleasedCode } from '@aisle/contract/pickup/batch'
import { createPortal } from 'react-dom'
import { businessDay } from '../../admin/days'
import { dayText } from '../../admin/fields/timeText'
import { qrModules } from '../../ui/control/qr'
import { currentLocale, useText } from '../../ui/text'
import styles from './print.module.css'
import pickupStyles from './pickup.module.css'

/** In two groups, as it is read aloud and typed. */
export const spacedCode = (code: string): string => `${code.slice(0, 5)} ${code.slice(5)}`

type Card = Pick<ReleasedCode, 'id' | 'code' | 'serial' | 'description' | 'goods' | 'merchantName' | 'expiresAt'>

/** On paper only: cards to be cut, ten a page, each with the code in letters and for the machine's reader. */
export function Paper({ codes }: { codes: readonly Card[] }) {
  const t = useText('pickup')
  const sheet = (
    <div data-part="pickup-paper" className={styles.paper} aria-hidden="true">
      {codes.map(({ id, code, serial, description, goods, merchantName, expiresAt }) => (
        <article key={id}>
          <QrCode text={code} />
          <div>
            <h2>{description}</h2>
            <p data-part="pickup-paper-code" className={styles.paperCode}>
              {spacedCode(code)}
            </p>
            <p>{goods}</p>
            <p>{t('cards.until', { day: lastDay(expiresAt) })}</p>
            <small>
              {merchantName} · {t('cards.serial', { serial })}
            </small>
          </div>
        </article>
      ))}
    </div>
  )
  return createPortal(sheet, document.body)
}

/** A code ends with a day; the instant after it would read as the next one. */
const lastDay = (expiresAt: string): string => dayText(businessDay(Date.parse(expiresAt) - 1), currentLocale())

/** Dark on light whatever the theme, with the quiet zone that readers want. */
export function QrCode({ text }: { text: string }) {
  const t = useText('pickup')
  const modules = qrModules(text) ?? []
  const size = modules.length + 8
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className={pickupStyles.qr}
      role="img"
      shapeRendering="crispEdges"
      aria-label={t('cards.qr')}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

import { product as declared } from '@aisle/contract/catalog/product'
import { When } from '../../admin/fields/time'
import { Timeline } from '../../ui/chart/timeline'
import { Money } from '../../ui/money'
import { ShortList } from '../../ui/shortList'
import { useText } from '../../ui/text'
import styles from './product.module.css'
import type { Product } from './productDrawer'

/** What it cost and was sold at, newest first, with who said so and why. */
export function ProductPrices({ product: { prices } }: { product: Product }) {
  const t = useText('catalog')
  return (
    <ShortList
      rows={prices.map((price) => ({ ...price, id: price.at }))}
      none={t('product.prices.none')}
      says={({ costFen, priceFen, reason }) => (
        <>
          <b>
            <Money fen={priceFen} />
          </b>{' '}
          <small className="quiet">
            {t('field.costFen')} <Money fen={costFen} />
          </small>
          {reason && <span className={styles.why}>{reason}</span>}
        </>
      )}
      ends={({ at, byName }) => (
        <span className={styles.amount}>
          {byName ?? t('product.prices.first')} · <When at={at} />
        </span>
      )}
    />
  )
}

/** Who changed what of it, newest first. */
export function ProductHistory({ product: { history } }: { product: Product }) {
  const t = useText('catalog')
  const actions = useText('audit')
  if (history.length === 0) return <p className="quiet">{t('product.history.none')}</p>
  return (
    <Timeline
      moments={history.map(({ at, action, byName, changes }) => ({
        key: `${at} ${action}`,
        tone: action.endsWith('takeOffline') ? 'bad' : 'good',
        title: actions.any(`action.${action}`),
        when: (
          <>
            {byName} · <When at={at} />
          </>
        ),
        detail: changes.length > 0 && <Changes changes={changes} />,
      }))}
    />
  )
}

function Changes({ changes }: { changes: Product['history'][number]['changes'] }) {
  const t = useText('catalog')
  return changes.map(({ field, before, after }) => (
    <span key={field} className={styles.change}>
      {t.has(`field.${field}`) ? t.any(`field.${field}`) : field}: {before !== null && <>{said(field, before)} → </>}
      {after === null ? '–' : said(field, after)}
    </span>
  ))

  function said(field: string, value: string) {
    const known = declared.fields as Readonly<Record<string, { kind: string; words?: string }>>
    const of = known[field]
    if (of?.kind === 'money') return <Money fen={Number(value)} />
    const key = of?.kind === 'state' ? `${of.words}.${value}` : ''
    return t.has(key) ? t.any(key) : value
  }
}

import { codeFields, getPickupCode } from '@aisle/contract/pickup/pickupCode'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { ProductLink } from '../../shelf/productLink'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import { CodeLog } from './codeLog'
import { CodeVerbs } from './codeVerbs'
import styles from './pickup.module.css'

export type CodeDetail = OutputOf<typeof getPickupCode>

/** What a code gives, what it gave where, and what may be done with it. */
export function CodeDrawer({ id }: DrawerRow) {
  const t = useText('pickup')
  const result = useEndpoint(getPickupCode, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ tail, description }) => `…${tail} · ${description}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={codeFields.state} t={t} />
        </div>
      )}
      actions={(code) => <CodeVerbs code={code} />}
    >
      {(code) => (
        <>
          <Section title={t('section.content')}>
            <Content code={code} />
          </Section>
          <Section title={t('section.code')}>
            <CodeFacts code={code} />
          </Section>
          <Section title={t('section.log')}>
            <CodeLog code={code} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

/** Each piece of the pick-up under way, and whether it is out already. */
function Content({ code: { products, pickupsAllowed, pieces, shipped } }: { code: CodeDetail }) {
  const t = useText('pickup')
  return (
    <>
      <ul className={styles.lines}>
        {products.map(({ id, code, name, isOffline, isOut }, at) => (
          <li key={`${code}${at}`}>
            <ProductLink id={id}>{name}</ProductLink> <small className="quiet">{code}</small>
            {isOffline && <small className="fault">{t('content.offline')}</small>}
            {isOut && <small className={styles.out}>{t('content.out')}</small>}
          </li>
        ))}
      </ul>
      <p className="quiet">
        {t('content.given', { shipped: countText(shipped), pieces: countText(pieces), pickups: pickupsAllowed })}
      </p>
    </>
  )
}

function CodeFacts({ code }: { code: CodeDetail }) {
  const t = useText('pickup')
  const { batchId, batchCount, serial, endedAt } = code
  return (
    <Facts
      facts={[
        {
          label: t('field.description'),
          value: (
            <ScreenLink screen="jygl/qhmgl" search={{ part: 'batches', open: String(batchId) }}>
              {code.description}
            </ScreenLink>
          ),
        },
        {
          label: t('field.serial'),
          value: t('code.serial', { serial: countText(serial), count: countText(batchCount) }),
        },
        { label: t('field.merchantName'), value: code.merchantName },
        { label: t('field.content'), value: code.content },
        { label: t('field.scope'), value: t(`scope.${code.scope}`) },
        { label: t('field.expiresAt'), value: <When at={code.expiresAt} /> },
        { label: t('field.createdAt'), value: <When at={code.createdAt} /> },
        { label: t('field.createdByName'), value: code.createdByName },
        { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
        { label: t('field.endedByName'), value: code.endedByName },
        { label: t('field.reason'), value: code.reason },
      ]}
    />
  )
}

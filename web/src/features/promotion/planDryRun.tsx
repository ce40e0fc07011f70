import { dryRunPlan } from '@aisle/contract/promotion/plan'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { Failure } from '../../admin/failure'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

/** What the last days would have come to: asked for, since it looks at every order. */
export function DryRun({ id }: { id: number }) {
  const t = useText('promotion')
  const [isAsked, setAsked] = useState(false)
  const { data, error, refetch } = useEndpoint(dryRunPlan, { id }, { errors: 'throw', enabled: isAsked })
  return (
    <Section title={t('dryRun')} note={t('dryRun.help')}>
      {!isAsked && (
        <button type="button" className="btn" onClick={() => setAsked(true)}>
          {t('dryRun.go')}
        </button>
      )}
      {isAsked &&
        !data &&
        (error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />)}
      {data && (
        <>
          {data.isPartial && <p className="quiet">{t('dryRun.partial', { count: data.orders })}</p>}
          <Facts
            facts={[
              { label: t('dryRun.orders'), value: countText(data.orders) },
              { label: t('dryRun.touched'), value: countText(data.touched) },
              { label: t('plan.pieces'), value: countText(data.pieces) },
              { label: t('markdown.forgone'), value: <Money fen={data.forgoneFen} /> },
              { label: t('dryRun.paidWithout'), value: <Money fen={data.without.paidFen} /> },
              { label: t('dryRun.paidWith'), value: <Money fen={data.with.paidFen} /> },
              { label: t('dryRun.marginWithout'), value: <Money fen={data.without.marginFen} /> },
              { label: t('dryRun.marginWith'), value: <Money fen={data.with.marginFen} /> },
            ]}
          />
        </>
      )}
    </Section>
  )
}

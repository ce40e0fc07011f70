import {
  campaignFields,
  type CampaignDetail,
  type CampaignResult,
  campaignState,
} from '@aisle/contract/promotion/campaign'
import type { ReactNode } from 'react'
import { countText, percentText } from '../../admin/fields/number'
import { StateCell } from '../../admin/fields/state'
import { Day } from '../../admin/fields/time'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'

/** Each figure beside what it can't be told apart from; nothing where machines or days are too few. */
export function CampaignResults({ campaign: { results, through, state } }: { campaign: CampaignDetail }) {
  const t = useText('promotion')
  if (!campaignState.is(state, 'measured')) return null
  return (
    <Section title={t('plan.results')} note={t('campaign.results.help')}>
      {through === null && <p className="quiet">{t('campaign.notYet')}</p>}
      {through && (
        <p className="quiet">
          {t('campaign.through')} <Day on={through} />
        </p>
      )}
      {results.map((result) => (
        <Result key={result.measure} result={result} />
      ))}
    </Section>
  )
}

function Result({ result }: { result: CampaignResult }) {
  const t = useText('promotion')
  const { measure, verdict, why, goal, percent, change, total } = result
  return (
    <div>
      <h4>
        {t(`campaignMeasure.${measure}`)} <StateCell value={verdict} field={campaignFields.verdict} t={t} />{' '}
        {goal && <Tag tone={goal === 'reached' ? 'good' : 'idle'} word={t(`goal.${goal}`)} />}
      </h4>
      {why && <p className="quiet">{t(`unmeasured.${why}`)}</p>}
      <Facts
        facts={[
          { label: t('campaign.arm.with', { count: result.with.machines }), value: side(result, result.with) },
          {
            label: t('campaign.arm.without', { count: result.without?.machines ?? 0 }),
            value: result.without && side(result, result.without),
          },
          { label: t('campaign.change'), value: change && range(change, amountOf(measure)) },
          { label: t('campaign.percent'), value: percent && range(percent, (of) => signed(of, percentText)) },
          { label: t('campaign.total'), value: total && range(total, amountOf(measure)) },
        ]}
      />
    </div>
  )
}

type Interval = NonNullable<CampaignResult['change']>
type Written = (value: number) => ReactNode

const signed = (value: number, text: (value: number) => string) => `${value > 0 ? '+' : ''}${text(value)}`

const amountOf =
  (measure: CampaignResult['measure']): Written =>
  (value) =>
    measure === 'pieces' ? signed(value, countText) : <Money fen={Math.round(value)} />

const side = ({ measure }: CampaignResult, { before, during }: CampaignResult['with']) => (
  <>
    {measure === 'pieces' ? countText(before) : <Money fen={Math.round(before)} />} →{' '}
    {measure === 'pieces' ? countText(during) : <Money fen={Math.round(during)} />}
  </>
)

const range = ({ value, low, high }: Interval, written: Written) => (
  <>
    {written(value)}{' '}
    <span className="quiet">
      ({written(low)} … {written(high)})
    </span>
  </>
)

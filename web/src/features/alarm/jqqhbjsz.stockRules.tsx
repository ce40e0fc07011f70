import {
  editStockRule,
  listStockRules,
  removeStockRule,
  saveStockRule,
  shippedStockRule,
  type StockRule,
  type StockRuleRow,
} from '@aisle/contract/alarm/stockRule'
import { screenOf } from '@aisle/contract/screens'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { countText } from '../../admin/fields/number'
import { MachineInput } from '../../shelf/machineInput'
import { MerchantInput } from '../../admin/form/refInput'
import type { Values } from '../../admin/form/schema'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { useMemo } from 'react'
import { Hints } from '../../ui/feedback/hint'
import { Link } from '@tanstack/react-router'
import { type Text, useText } from '../../ui/text'
import { PointInput, previewedInput } from './stockRuleInputs'
import { StockTold } from './stockTold'
import styles from './alarm.module.css'

const inputs = { merchantId: MerchantInput, pointId: PointInput, machineCode: MachineInput, ofSlots: previewedInput() }
const fields = {
  scope: { kind: 'state', words: 'scope', tones: {} },
  empty: { kind: 'count' },
  ofSlots: { kind: 'count' },
} as const

const places = ['merchantId', 'pointId', 'machineCode'] as const

/** Only the field of what the rule is for. */
const without = ({ scope }: Values): string[] =>
  [
    ['merchant', 'merchantId'],
    ['point', 'pointId'],
    ['machine', 'machineCode'],
  ].flatMap(([each, name = '']) => (each === (scope || 'merchant') ? [] : [name]))

/** For whoever plans the filling, once a season: from how many empty slots on somebody is told, where, and who. */
export default function StockRulesPage() {
  const t = useText('alarm')
  const title = useText('screens')('kcpd/jqqhbjsz')
  const { data, error, refetch } = useEndpoint(listStockRules, {}, { errors: 'throw' })
  useLive({ kinds: ['stockRule', 'alarm'], also: [] }, [listStockRules])
  if (error) return <Failure failure={error} retry={() => void refetch()} />
  return (
    <div className={styles.stockPage}>
      <header>
        <h1>{title}</h1>
        <CommandButton
          endpoint={saveStockRule}
          verb="saveStockRule"
          t={t}
          tone="main"
          fields={fields}
          inputs={inputs}
          initial={{ scope: 'merchant', ...shippedStockRule }}
          without={without}
          needed={places}
          changes={[listStockRules]}
        />
      </header>
      <section aria-label={t('stock.rules')}>
        <h2>{t('stock.rules')}</h2>
        <p className="quiet">{t('stock.rules.note')}</p>
        <ul className={styles.stockRules}>
          {data?.items.map((rule) => (
            <Rule key={rule.id} rule={rule} />
          ))}
          {data && (
            <li>
              <span className={styles.stockRulePlace}>
                <strong>{t('stock.shipped')}</strong>
                <span>{ruleText(t, shippedStockRule)}</span>
                <small>{figuresText(t, data.shipped)}</small>
              </span>
            </li>
          )}
        </ul>
        <p>
          <Link to={screenOf('shj/jqbj').path} search={{ cause: 'out_of_stock' }}>
            {t('stock.alarms')}
          </Link>
        </p>
      </section>
      <StockTold />
      <Hints />
    </div>
  )
}

const ruleText = (t: Text<'alarm'>, { empty, ofSlots }: StockRule): string =>
  empty === 0
    ? t('stock.rule.never')
    : ofSlots === null
      ? t('stock.rule.count', { empty })
      : t('stock.rule.ratio', { empty, ofSlots })

const figuresText = (t: Text<'alarm'>, { machines, short }: { machines: number; short: number }): string =>
  t('stock.figures', { machines: countText(machines), short: countText(short) })

function Rule({ rule }: { rule: StockRuleRow }) {
  const t = useText('alarm')
  const previewed = useMemo(() => ({ ofSlots: previewedInput(rule.id) }), [rule.id])
  const { id, version, machineCode, machineName, pointName, merchantName, empty, ofSlots } = rule
  const place = machineCode ? `${machineCode} ${machineName}` : (pointName ?? merchantName)
  const scope = machineCode ? 'machine' : pointName ? 'point' : 'merchant'
  return (
    <li>
      <span className={styles.stockRulePlace}>
        <strong>{place}</strong>
        <span>{ruleText(t, rule)}</span>
        <small>{[t(`scope.${scope}`), place !== merchantName && merchantName].filter(Boolean).join(' · ')}</small>
        <small>{figuresText(t, rule)}</small>
      </span>
      <span className={styles.stockRuleVerbs}>
        <CommandButton
          endpoint={editStockRule}
          verb="editStockRule"
          t={t}
          fields={fields}
          inputs={previewed}
          target={{ id, version }}
          vars={{ place }}
          initial={{ empty, ofSlots }}
          changes={[listStockRules]}
        />
        <CommandButton
          endpoint={removeStockRule}
          verb="removeStockRule"
          t={t}
          tone="danger"
          target={{ id }}
          vars={{ place }}
          changes={[listStockRules]}
        />
      </span>
    </li>
  )
}

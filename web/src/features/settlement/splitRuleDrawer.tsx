import { splitReceiverFields } from '@aisle/contract/settlement/splitReceiver'
import { getSplitRule, splitRuleFields } from '@aisle/contract/settlement/splitRule'
import { percentText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { SplitRuleVerbs } from './splitRuleVerbs'
import styles from './settlement.module.css'

/** The terms in their order, for what and since when, and who agreed them. */
export function SplitRuleDrawer({ id }: DrawerRow) {
  const t = useText('settlement')
  const result = useEndpoint(getSplitRule, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ merchantName, scopeName }) => [merchantName, scopeName].filter(Boolean).join(' · ')}
      head={({ state }) => <StateCell value={state} field={splitRuleFields.state} t={t} />}
      actions={(rule) => <SplitRuleVerbs rule={rule} />}
    >
      {(rule) => (
        <>
          <Section title={t('section.splitLines')}>
            <ul className={styles.bookLines}>
              {rule.lines.map((line) => (
                <li key={line.receiverId}>
                  <ScreenLink screen="cfgl/yhfzsz" search={{ part: 'receivers', open: String(line.receiverId) }}>
                    {line.name}
                  </ScreenLink>
                  <span>{t(`method.${line.provider}`)}</span>
                  <strong>
                    {line.ratePercent === null ? <Money fen={line.fixedFen ?? 0} /> : percentText(line.ratePercent)}
                  </strong>
                  <StateCell value={line.state} field={splitReceiverFields.state} t={t} />
                </li>
              ))}
            </ul>
          </Section>
          <Section title={t('section.terms')}>
            <Facts
              facts={[
                { label: t('field.scope'), value: t(`splitScope.${rule.scope}`) },
                { label: t('field.ratePercent'), value: percentText(rule.ratePercent) },
                { label: t('split.cap'), value: percentText(rule.capPercent) },
                { label: t('field.validFrom'), value: <Day on={rule.validFrom} /> },
                {
                  label: t('field.validTo'),
                  value: rule.validTo === null ? t('fact.never') : <Day on={rule.validTo} />,
                },
                { label: t('field.reason'), value: rule.reason },
                { label: t('field.agreedBy'), value: rule.agreedBy },
                { label: t('field.agreedAt'), value: <When at={rule.agreedAt} /> },
              ]}
            />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

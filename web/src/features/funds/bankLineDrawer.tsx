import { bankLineFields, explainBankLine, getBankLine, listBankLines } from '@aisle/contract/funds/bankLine'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLinks } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

type Line = OutputOf<typeof getBankLine>

/** What the bank says beside what we have, what that means, and why it is so once somebody found out. */
export function BankLineDrawer({ id }: DrawerRow) {
  const t = useText('funds')
  const result = useEndpoint(getBankLine, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ reference }) => reference}
      head={({ outcome, amountFen }) => (
        <div className="tags">
          <strong>
            <Money fen={amountFen} />
          </strong>
          <StateCell value={outcome} field={bankLineFields.outcome} t={t} />
        </div>
      )}
      actions={(line) => <Explain line={line} />}
    >
      {(line) => (
        <>
          <p>{t(`bankOutcome.${line.outcome}.help`)}</p>
          <Section title={t('section.bank')}>
            <BankFacts line={line} />
          </Section>
          {line.ourFen !== null && <ScreenLinks to={[['cfgl/txgl', { no: line.reference }]]} />}
        </>
      )}
    </RowDrawer>
  )
}

function BankFacts({ line }: { line: Line }) {
  const t = useText('funds')
  const { day, holder, kind, bankNo, ourFen, merchantName, reason, explainedBy } = line
  return (
    <Facts
      facts={[
        { label: t('field.day'), value: <Day on={day} /> },
        { label: t('field.holder'), value: holder },
        { label: t('field.kind'), value: t(`bankLineKind.${kind}`) },
        { label: t('field.bankNo'), value: bankNo },
        { label: t('field.ourFen'), value: ourFen !== null && <Money fen={ourFen} /> },
        { label: t('field.merchantName'), value: merchantName },
        { label: t('field.explanation'), value: reason },
        { label: t('field.explainedBy'), value: explainedBy },
      ]}
    />
  )
}

function Explain({ line: { id, isOpen, isMine, outcome, reference } }: { line: Line }) {
  const t = useText('funds')
  if (outcome === 'matched') return null
  const why = isOpen ? t('refusal.withdrawal.samePerson') : t('refusal.bankLine.explained')
  return (
    <CommandButton
      endpoint={explainBankLine}
      verb="explainBankLine"
      t={t}
      target={{ id }}
      vars={{ reference, why }}
      isEnabled={isOpen && !isMine}
      changes={[listBankLines, getBankLine]}
    />
  )
}

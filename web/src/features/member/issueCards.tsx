import { issueCards } from '@aisle/contract/member/cardIssue'
import { cardFields, listCards } from '@aisle/contract/member/memberCard'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput } from '../../admin/form/refInput'
import { currentSession } from '../../live/session'
import { Dialog } from '../../ui/feedback/dialog'
import { useText } from '../../ui/text'
import { LinesInput } from './cardLines'
import styles from './member.module.css'

type Report = OutputOf<typeof issueCards>

/** At a term's start some thousand at once, else one for who stands at the counter. */
export function IssueCards() {
  const t = useText('member')
  const [report, setReport] = useState<Report | null>(null)
  return (
    <>
      <CommandButton
        endpoint={issueCards}
        verb="issueCards"
        t={t}
        tone="main"
        fields={cardFields}
        inputs={{ merchantId: MerchantInput, lines: LinesInput }}
        initial={{
          merchantId: currentSession()?.info?.merchant.id,
          type: 'ordinary',
          isActive: false,
        }}
        changes={[listCards]}
        onDone={setReport}
      />
      {report && <Issued report={report} onClose={() => setReport(null)} />}
    </>
  )
}

/** What became of each line, with the codes, which are shown this once: printed, copied or written down. */
function Issued({ report, onClose }: { report: Report; onClose: () => void }) {
  const t = useText('member')
  const kernel = useText('kernel')
  const failed = report.lines.filter(({ outcome }) => outcome !== 'done').length
  return (
    <Dialog
      title={t('issue.report')}
      onSubmit={onClose}
      onCancel={onClose}
      actions={
        <button type="submit" className="btn btn-main">
          {kernel('action.close')}
        </button>
      }
    >
      <p role="status">{t('issue.outcome', { done: report.done, failed })}</p>
      {report.lines.some(({ code }) => code !== null) && <p className="quiet">{t('issue.codes')}</p>}
      <div className={styles.report}>
        <table>
          <thead>
            <tr>
              {(['physicalNo', 'logicalNo', 'outcome', 'code'] as const).map((name) => (
                <th key={name} scope="col">
                  {t(`field.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.lines.map(({ line, physicalNo, logicalNo, outcome, code }) => (
              <tr key={line}>
                <td>{physicalNo}</td>
                <td>{logicalNo}</td>
                <td className={outcome === 'done' ? '' : 'fault'}>{t(`issueOutcome.${outcome}`)}</td>
                <td>{code}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  )
}

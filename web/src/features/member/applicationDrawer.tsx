import * as contract from '@aisle/contract/member/cardApplication'
import { listCards } from '@aisle/contract/member/memberCard'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { SecretOnce } from '../../ui/feedback/secretOnce'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'

const fields = contract.applicationFields

/** Who wants which card and why, who agreed, and which card was handed out. */
export function ApplicationDrawer({ id }: DrawerRow) {
  const t = useText('member')
  const result = useEndpoint(contract.getApplication, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ memberName, memberNumber }) => `${memberName} ${memberNumber}`.trim()}
      head={({ kind, type, state }) => (
        <div className="tags">
          <StateCell value={kind} field={fields.kind} t={t} />
          <StateCell value={type} field={fields.type} t={t} />
          <StateCell value={state} field={fields.state} t={t} />
        </div>
      )}
      actions={(application) => <Verbs application={application} />}
    >
      {(application) => <ApplicationFacts application={application} />}
    </RowDrawer>
  )
}

function ApplicationFacts({ application }: { application: contract.CardApplication }) {
  const t = useText('member')
  const { memberId, memberName, memberNumber, replaces, logicalNo, decidedAt, issuedAt } = application
  const toCard = (number: string) => (
    <ScreenLink screen="hygl/wdhyk" search={{ q: number }}>
      {number}
    </ScreenLink>
  )
  return (
    <Facts
      facts={[
        {
          label: t('field.memberName'),
          value: (
            <ScreenLink screen="hygl/wdhy" search={{ open: String(memberId) }}>
              {`${memberName} ${memberNumber}`.trim()}
            </ScreenLink>
          ),
        },
        { label: t('field.merchantName'), value: application.merchantName },
        { label: t('field.level'), value: String(application.level) },
        { label: t('field.replaces'), value: replaces && toCard(replaces) },
        { label: t('field.note'), value: application.note },
        { label: t('field.createdBy'), value: application.createdBy },
        { label: t('field.createdAt'), value: <When at={application.createdAt} /> },
        { label: t('field.decidedBy'), value: application.decidedBy },
        { label: t('field.decidedAt'), value: decidedAt && <When at={decidedAt} /> },
        { label: t('field.reason'), value: application.reason },
        { label: t('field.logicalNo'), value: logicalNo && toCard(logicalNo) },
        { label: t('field.issuedBy'), value: application.issuedBy },
        { label: t('field.issuedAt'), value: issuedAt && <When at={issuedAt} /> },
      ]}
    />
  )
}

function Verbs({ application: { id, state, isOwn, replaces } }: { application: contract.CardApplication }) {
  const t = useText('member')
  const { can } = contract.applicationState
  const [code, setCode] = useState<string | null>(null)
  const common = { t, fields, target: { id }, changes: [contract.listApplications, contract.getApplication, listCards] }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={contract.approveApplication}
        verb="approveApplication"
        isEnabled={!isOwn && can(state, 'approve')}
      />
      <CommandButton
        {...common}
        endpoint={contract.issueApplied}
        verb="issueApplied"
        initial={{ isActive: true }}
        without={() => (replaces ? ['isActive'] : [])}
        isEnabled={can(state, 'issue')}
        onDone={({ code }) => (code ? setCode(code) : toast('good', t('verb.issueApplied.done')))}
      />
      <CommandButton
        {...common}
        endpoint={contract.refuseApplication}
        verb="refuseApplication"
        tone="danger"
        isEnabled={!isOwn && can(state, 'refuse')}
      />
      <CommandButton
        {...common}
        endpoint={contract.withdrawApplication}
        verb="withdrawApplication"
        isEnabled={can(state, 'withdraw')}
      />
      {code && (
        <SecretOnce title={t('field.code')} about={t('issue.codes')} secret={code} onClose={() => setCode(null)} />
      )}
    </>
  )
}

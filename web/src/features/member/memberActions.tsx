import { memberFields } from '@aisle/contract/member/member'
import { addMember } from '@aisle/contract/member/memberRecord'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { can, currentSession } from '../../live/session'
import { useText } from '../../ui/text'
import { memberChanges, memberInputs } from './memberForm'
import { MemberImport } from './memberImport'

export function MemberActions() {
  const t = useText('member')
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      {can(addMember.access) && (
        <button type="button" className="btn" onClick={() => setImporting(true)}>
          {t('import')}
        </button>
      )}
      <CommandButton
        endpoint={addMember}
        verb="addMember"
        t={t}
        tone="main"
        fields={memberFields}
        inputs={memberInputs}
        initial={{ merchantId: currentSession()?.info?.merchant.id, level: 1 }}
        changes={memberChanges}
      />
      {isImporting && <MemberImport onClose={() => setImporting(false)} />}
    </>
  )
}

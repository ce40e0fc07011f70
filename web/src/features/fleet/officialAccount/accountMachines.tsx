import {
  getOfficialAccount,
  hideAccount,
  linkFor,
  listOfficialAccounts,
  type OfficialAccountDetail,
  showAccount,
} from '@aisle/contract/fleet/officialAccount'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { MachineLink } from '../../../admin/fields/ref'
import { CopyButton } from '../../../ui/control/copy'
import { QrCode } from '../../../ui/qrCode'
import { ShortList } from '../../../ui/shortList'
import { useText } from '../../../ui/text'
import styles from './accountMachines.module.css'
import { GroupInput } from '../machine/pickers'
import { MachineIdInput } from '../machine/machineInputs'
import type { InputProps } from '../../../admin/form/input'
import hospitalStyles from '../place/hospital.module.css'

const shown = [listOfficialAccounts, getOfficialAccount] as const
/** One machine at a time here; many by their group. */
const inputs = { machineIds: OneMachineInput, groupId: GroupInput }

/** On which machines the account is shown; each has a QR code of its own, made here and printable. */
export function AccountMachines({ account }: { account: OfficialAccountDetail }) {
  const t = useText('fleet')
  const [open, setOpen] = useState<number | null>(null)
  const { id, name, machines, machineCount, link } = account
  const common = { t, vars: { name }, changes: shown }
  return (
    <div className={hospitalStyles.parts}>
      <div>
        <CommandButton
          {...common}
          endpoint={showAccount}
          verb="showAccount"
          tone="main"
          target={{ id }}
          inputs={inputs}
        />
      </div>
      <ShortList
        rows={machines}
        none={t('account.machines.none')}
        says={(machine) => (
          <>
            <MachineLink code={machine.code} /> {machine.name} <small className="quiet">{machine.pointName}</small>
            {open === machine.id && <LinkCode text={linkFor(link, machine.code)} code={machine.code} />}
          </>
        )}
        ends={(machine) => (
          <span className="tags">
            <button
              type="button"
              className="btn"
              aria-expanded={open === machine.id}
              aria-label={t('account.qr.of', { code: machine.code })}
              onClick={() => setOpen(open === machine.id ? null : machine.id)}
            >
              {t('account.qr')}
            </button>
            <CommandButton
              {...common}
              endpoint={hideAccount}
              verb="hideAccount"
              target={{ id, machineIds: [machine.id] }}
              vars={{ name, code: machine.code }}
            />
          </span>
        )}
      />
      {machineCount > machines.length && (
        <p className="quiet">{t('point.machines.more', { count: machines.length })}</p>
      )}
    </div>
  )
}

function OneMachineInput(props: InputProps) {
  const [one] = Array.isArray(props.value) ? props.value : []
  return (
    <MachineIdInput
      {...props}
      value={one ?? null}
      isRequired={false}
      onChange={(id) => props.onChange(id === null ? [] : [id])}
    />
  )
}

function LinkCode({ text, code }: { text: string; code: string }) {
  const t = useText('fleet')
  return (
    <div className={styles.qr}>
      <QrCode text={text} label={t('account.qr.of', { code })} />
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  )
}

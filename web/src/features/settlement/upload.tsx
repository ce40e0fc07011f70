import { LARGEST_STATEMENT_BYTES, uploadStatement } from '@aisle/contract/settlement/run'
import { useRef, useState } from 'react'
import { countText } from '../../admin/fields/number'
import { refetch, useCommand } from '../../live/query'
import { can } from '../../live/session'
import { Dialog, DialogButtons } from '../../ui/feedback/dialog'
import { base64Of } from '../../ui/control/files'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { shownRuns } from './shown'

export function UploadButton({ id }: { id: number }) {
  const t = useText('settlement')
  const [isOpen, setOpen] = useState(false)
  if (!can(uploadStatement.access)) return null
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {t('upload')}
      </button>
      {isOpen && <Upload id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

/** A bill that a person downloaded from the channel; what is wrong with it is said here. */
function Upload({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText('settlement')
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const taking = useCommand(uploadStatement, {
    errors: 'throw',
    onSuccess: ({ isNew, lineCount }) => {
      toast('good', isNew ? t('upload.new', { count: countText(lineCount) }) : t('upload.same'))
      onClose()
      return refetch(...shownRuns)
    },
  })
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    taking.reset()
    const isTooLarge = chosen.size > LARGEST_STATEMENT_BYTES
    setFault(isTooLarge ? t('upload.tooLarge') : null)
    setFile(isTooLarge ? null : chosen)
  }
  const isReady = file !== null && !taking.isPending
  const take = async () => {
    if (isReady) taking.mutate({ id, name: file.name, content: base64Of(await file.arrayBuffer()) })
  }
  const said = fault ?? taking.error?.message
  return (
    <Dialog
      title={t('upload')}
      onSubmit={() => void take()}
      onCancel={onClose}
      actions={<DialogButtons onCancel={onClose} send={t('upload.take')} isReady={isReady} />}
    >
      <p>{t('upload.intro')}</p>
      <input
        ref={input}
        type="file"
        className="hidden-text"
        tabIndex={-1}
        aria-label={t('upload.choose')}
        accept=".csv,.zip,.txt,text/csv"
        onChange={({ target }) => {
          choose(target.files?.[0])
          target.value = ''
        }}
      />
      <button type="button" className="btn" onClick={() => input.current?.click()}>
        {file?.name ?? t('upload.choose')}
      </button>
      {said && (
        <p className="fault" role="alert">
          {said}
        </p>
      )}
    </Dialog>
  )
}

import { useState } from 'react'
import { useText } from '../text'

/** The clipboard is closed to pages on plain http, and a browser may refuse it: then the person selects the text. */
export function CopyButton({ text }: { text: string }) {
  const t = useText('kernel')
  const kit = useText('admin')
  const [result, setResult] = useState<'copied' | 'failed' | null>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setResult('copied')
    } catch {
      setResult('failed')
    }
  }
  return (
    <>
      <button type="button" className="btn" onClick={() => void copy()}>
        {result === 'copied' ? t('action.copied') : t('action.copy')}
      </button>
      {result === 'failed' && <p role="alert">{kit('copy.failed')}</p>}
    </>
  )
}

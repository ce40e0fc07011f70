import { useEffect, useRef, useState } from 'react'
import { useText } from '../text'
import styles from './camera.module.css'
import { codeReader, type CodeReader } from './codeReader'

const EACH_MS = 200
/** The bars of a code of twenty digits want two points each. */
const WIDTH = 1280

/** Tells each code that the camera sees; two equal reads are one, since a single one is now and then invented. */
export function Camera({ onCode }: { onCode: (code: string) => void }) {
  const kit = useText('admin')
  const video = useRef<HTMLVideoElement>(null)
  const [isRefused, setRefused] = useState(false)
  const told = useRef(onCode)
  useEffect(() => {
    told.current = onCode
  }, [onCode])
  useEffect(() => {
    const onRead = (code: string) => told.current(code)
    let stop: (() => void) | undefined
    const start = () => {
      stop?.()
      const screen = document.visibilityState === 'visible' ? video.current : null
      stop = screen ? watch(screen, onRead, () => setRefused(true)) : undefined
    }
    start()
    // Cameras of phones that were put away show a still picture for ever.
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      stop?.()
    }
  }, [])
  if (isRefused) return <p className="quiet">{kit('scan.refused')}</p>
  return <video ref={video} className={styles.video} muted playsInline aria-label={kit('scan.start')} />
}

/** @returns ends it */
function watch(video: HTMLVideoElement, onCode: (code: string) => void, onRefused: () => void): () => void {
  let isOver = false
  let stream: MediaStream | undefined
  let before = ''
  let said = ''
  const look = async (read: CodeReader) => {
    if (isOver) return
    const code = (await read(video).catch(() => null)) ?? ''
    if (!isOver && code !== '' && code === before && code !== said) {
      said = code
      onCode(code)
    }
    before = code
    setTimeout(() => void look(read), EACH_MS)
  }
  const begin = async () => {
    // Before the camera, which would stay on if there were no reader.
    const read = await codeReader()
    if (isOver) return
    const asked = { facingMode: 'environment', width: { ideal: WIDTH } }
    stream = await navigator.mediaDevices.getUserMedia({ video: asked })
    if (isOver) return end()
    video.srcObject = stream
    await video.play()
    void look(read)
  }
  const end = () => stream?.getTracks().forEach((track) => track.stop())
  begin().catch(() => isOver || onRefused())
  return () => {
    isOver = true
    end()
  }
}

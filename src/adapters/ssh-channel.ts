import { Duplex } from 'node:stream'

/**
 * A forwarded channel as the stream that HTTP clients expect. A bare channel loses the error it is destroyed with and
 * lacks the socket's own methods (testbed.md 3.2); here those exist and do nothing, since the connection below has its
 * own keepalive and no Nagle.
 */
export function carry(channel: Duplex): Duplex {
  const stream = new Duplex({
    // as a socket: else a connection through it would outlive the end of its other side, until keepalive finds out
    allowHalfOpen: false,
    read: () => void channel.resume(),
    write: (chunk, _encoding, done) => void channel.write(chunk, done),
    final(done) {
      channel.end()
      done()
    },
    destroy(error, done) {
      channel.destroy()
      done(error)
    },
  })
  // whoever reads it listens too; without a reader the error is nobody's, and must not end the process
  stream.on('error', () => {})
  channel.on('data', (chunk) => {
    if (!stream.push(chunk)) channel.pause()
  })
  channel.on('end', () => stream.push(null))
  channel.on('error', (error) => stream.destroy(error))
  channel.on('close', () => {
    const unread = channel.readableEnded && !stream.readableEnded
    if (unread) stream.once('end', () => stream.destroy())
    else stream.destroy()
  })
  const self = () => stream
  return Object.assign(stream, { setNoDelay: self, setKeepAlive: self, setTimeout: self, ref: self, unref: self })
}

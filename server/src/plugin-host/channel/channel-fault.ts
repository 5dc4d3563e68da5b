/** The other side broke a rule of the connection, which is closed. */
export class ChannelFault extends Error {
  override readonly name = 'ChannelFault';
}

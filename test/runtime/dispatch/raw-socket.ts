// A server that speaks bytes and not HTTP, for what Node's own server would never send.
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface SocketServer {
  readonly port: number;
  readonly url: string;
  /** Connections so far. */
  readonly connections: number;
  /** Requests whose head has arrived, on whichever connection. */
  readonly requests: number;
}

const open: (() => Promise<void>)[] = [];

/**
 * `answer` is called for each request, once its head (or, with `whole`, its whole body) has arrived; `count` numbers
 * the requests and `stream` tells whether a stream was asked for.
 */
export async function socketServer(
  answer: (socket: Socket, count: number, stream: boolean) => void,
  {
    whole = true,
    onConnect,
  }: { readonly whole?: boolean; readonly onConnect?: (socket: Socket) => void } = {},
): Promise<SocketServer> {
  let [connections, requests] = [0, 0];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    onConnect?.(socket);
    let got = "";
    let answered = false;
    socket.on("data", (chunk) => {
      got += chunk.toString("latin1");
      const head = got.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0);
      const isWhole = got.length >= head + 4 + length;
      if (!answered && (isWhole || !whole)) {
        answered = true;
        requests += 1;
        answer(socket, requests, got.includes('"stream":true'));
      }
      if (!isWhole) return;
      got = got.slice(head + 4 + length);
      answered = false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  open.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    get requests() {
      return requests;
    },
  };
}

export async function closeSocketServers(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()));
}

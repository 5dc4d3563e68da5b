import json
import os
import sys

# A server of the Model Context Protocol in Python, of its standard library alone.


def attempt(path):
    try:
        with open(path, 'rb') as file:
            return 'done: ' + repr(file.read(10))
    except OSError as error:
        return type(error).__name__


for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get('method'), message.get('params', {})
    if method == 'initialize':
        info = {'name': 'python', 'version': '1'}
        result = {'protocolVersion': params['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': info}
    elif method == 'tools/list':
        result = {'tools': [{'name': 'python_read', 'inputSchema': {'type': 'object'}}]}
    elif method == 'tools/call':
        read = {'environment': sorted(os.environ), 'file': attempt(params['arguments']['path'])}
        result = {'content': [{'type': 'text', 'text': json.dumps(read)}]}
    else:
        continue
    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)

"""The program with one public service for ssh: the OpenSSH server of a test.

Run it like ``companion``. The variable ``TEST_SSH_PORT`` is the port of that server.
"""

import os

from companion.__main__ import main
from companion.web import ssh
from tests.support.servers.sshd import own_service

ssh.SERVICES = {ssh.USUAL: own_service(int(os.environ["TEST_SSH_PORT"]))}

if __name__ == "__main__":
    main()

# The command and the server: `docker build -t backtrick .`, then
#     docker run --rm backtrick solve "15,43,44 21,53 51-62-35"
#     docker run --rm -p 8000:8000 backtrick serve --host 0.0.0.0 --host-name localhost
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m venv /opt/backtrick && /opt/backtrick/bin/pip install --no-cache-dir ".[web,arrow]"

FROM python:3.13-slim
COPY --from=build /opt/backtrick /opt/backtrick
RUN useradd --create-home backtrick
USER backtrick
WORKDIR /home/backtrick
ENV PATH=/opt/backtrick/bin:$PATH
EXPOSE 8000
ENTRYPOINT ["backtrick"]
CMD ["--help"]
